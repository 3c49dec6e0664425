import { UserRoundPlus } from 'lucide-react';
import * as Tabs from '@radix-ui/react-tabs';
import { useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { AdminCreatorRow } from '../../../../../src/contract/applications.js';
import { ButtonLink } from '../../../components/button.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { ApiError } from '../../../lib/api.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { useMayAct } from '../../../components/work-area/acts.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { useNumberedPages } from '../../../components/work-area/list-pages.js';
import { liveTimings } from '../../../components/work-area/live.js';
import { PageCount } from '../../../components/work-area/page-count.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { SearchField } from '../../../components/work-area/search-field.js';
import { useSettled } from '../../../components/work-area/use-settled.js';
import { CreatorCard } from './creator-card.js';

type CreatorState = 'active' | 'archived';

/** Creators on a page of the list. */
const CREATORS_PAGE_SIZE = 24;
const TABS: readonly { readonly state: CreatorState; readonly label: string; readonly empty: string }[] = [
  {
    state: 'active',
    label: 'Active Creators',
    empty: 'No active creators found. Archived creators can be unarchived from the "Archived Creators" tab.',
  },
  { state: 'archived', label: 'Archived Creators', empty: 'No archived creators found.' },
];
const GRID = 'grid gap-x-6 gap-y-9 sm:grid-cols-2 md:grid-cols-3 lg:grid-cols-4 lg:gap-y-10';

interface CreatorsPageProps {
  /** Called after a change that the public pages show. */
  readonly onChange: () => void;
}

/** The list of creators, active and archived (creator spec, section 2). The address names the tab. */
export function CreatorsPage({ onChange }: CreatorsPageProps): React.ReactNode {
  const [address, setAddress] = useSearchParams();
  const tab: CreatorState = address.get('tab') === 'archived' ? 'archived' : 'active';
  const [text, setText] = useState('');
  const search = useSettled(text.trim().replace(/^@/, ''));
  const { data: counts } = useRpc('get_admin_counts', {}, liveTimings);
  const lists = { active: useCreators('active', search), archived: useCreators('archived', search) };
  const featured = lists.active.query.data?.filter(({ is_featured: shown }) => shown).length ?? 0;
  return (
    <WorkPage
      title="Creators"
      size={56}
      back={{ to: '/admin', label: 'Back to Admin Dashboard' }}
      actions={
        <>
          <div className="relative w-full sm:w-60">
            <SearchField
              label="Filter by name or handle"
              placeholder="Filter by name or handle"
              maxLength={100}
              value={text}
              onText={setText}
              className="h-10 border-line-strong bg-bg pr-3"
            />
          </div>
          <ButtonLink to="/admin/applications">
            <UserRoundPlus aria-hidden className="size-4" />
            Applications
            <PageCount count={counts?.applications} />
          </ButtonLink>
        </>
      }
      footer={
        lists.active.total > 0 && lists.active.total <= CREATORS_PAGE_SIZE && search === ''
          ? `${lists.active.total} active, ${featured} on the home page in this order`
          : undefined
      }
    >
      <Tabs.Root
        value={tab}
        onValueChange={(next) => setAddress(next === 'archived' ? { tab: next } : {}, { replace: true })}
        className="mt-5"
      >
        <Tabs.List aria-label="Creators" className="flex gap-6 border-b border-line sm:gap-7">
          {TABS.map(({ state, label }) => (
            <Tabs.Trigger
              key={state}
              value={state}
              className="-mb-px inline-flex h-12 shrink-0 items-center gap-2 whitespace-nowrap border-b-2 border-transparent text-16 text-ink-2 hover:text-ink data-[state=active]:border-seal-mark data-[state=active]:font-[560] data-[state=active]:text-ink"
            >
              {label}
              {lists[state].query.data && (
                <span className="inline-flex h-5 min-w-5 items-center justify-center rounded-pill bg-hover px-1.5 text-13 tabular-nums">
                  {lists[state].total.toLocaleString('en')}
                </span>
              )}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {TABS.map(({ state, empty }) => (
          <Tabs.Content key={state} value={state} className="pt-6">
            <CreatorGrid list={lists[state]} empty={empty} onChange={onChange} />
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </WorkPage>
  );
}

function useCreators(state: CreatorState, search: string) {
  return useNumberedPages(
    'list_creators_admin',
    { p_state: state, p_search: search === '' ? null : search },
    CREATORS_PAGE_SIZE,
  );
}

interface CreatorGridProps {
  readonly list: ReturnType<typeof useCreators>;
  readonly empty: string;
  readonly onChange: () => void;
}

function CreatorGrid({ list, empty, onChange }: CreatorGridProps): React.ReactNode {
  return (
    <RpcList
      list={list}
      words={{ failure: loadProblem(list.query.error), loading: 'Loading creators...' }}
      empty={<EmptyState title={empty} />}
      skeleton={
        <div className={GRID}>
          {Array.from({ length: 4 }, (_, index) => (
            <div key={index}>
              <Skeleton className="aspect-[1.5] sm:aspect-[1.2]" />
              <Skeleton className="mt-3 h-7 w-40 rounded-sm" />
              <Skeleton className="mt-2 h-16 rounded-sm" />
            </div>
          ))}
        </div>
      }
    >
      {(creators) => <Cards creators={creators} onChange={onChange} />}
    </RpcList>
  );
}

interface CardsProps {
  readonly creators: readonly AdminCreatorRow[];
  readonly onChange: () => void;
}

/** The cards. J and K move the focus; F and E act on the card with the focus. */
function Cards({ creators, onChange }: CardsProps): React.ReactNode {
  const grid = useRef<HTMLDivElement>(null);
  const focusedCard = (): HTMLElement | undefined => allCards().find((card) => card.contains(document.activeElement));
  const allCards = (): HTMLElement[] => [...(grid.current?.querySelectorAll('article') ?? [])];
  const move = (step: 1 | -1): void => {
    const cards = allCards();
    const current = focusedCard();
    const at = current ? cards.indexOf(current) + step : 0;
    cards[Math.min(Math.max(at, 0), cards.length - 1)]?.focus();
  };
  /** Without a focused card the key chooses the first one: it must not change a creator that was not chosen. */
  const press = (control: string): void => {
    const card = focusedCard();
    if (card) card.querySelector<HTMLElement>(control)?.click();
    else move(1);
  };
  const active = creators[0]?.is_visible === true;
  const mayAct = useMayAct();
  useKeys([
    ...(active
      ? [
          ...(mayAct ? [{ keys: ['F'], label: 'Feature', run: () => press('[role="switch"]') }] : []),
          { keys: ['E'], label: 'Manage gallery', run: () => press('a') },
        ]
      : []),
    { keys: ['J', 'K'], label: 'Move', run: (key) => move(key === 'J' ? 1 : -1) },
    { keys: ['↓', '↑'], label: 'Next, previous creator', quiet: true, run: (key) => move(key === '↓' ? 1 : -1) },
  ]);
  return (
    <div ref={grid} className={GRID}>
      {creators.map((creator) => (
        <CreatorCard key={creator.id} creator={creator} onChange={onChange} />
      ))}
    </div>
  );
}

function loadProblem(error: Error | null): string {
  return error instanceof ApiError && error.status === 401
    ? 'Authentication failed. Please refresh the page.'
    : 'Failed to load creators. Please try again.';
}

import { ArrowLeft, Check } from 'lucide-react';
import * as Tabs from '@radix-ui/react-tabs';
import { lazy, Suspense } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import type { OwnCreator } from '../../../../src/contract/creators.js';
import { Badge } from '../../components/badge.js';
import { ButtonLink } from '../../components/button.js';
import { SupportLink } from '../../components/support-link.js';
import { DashboardNotices, hasModel } from './components/dashboard-notices.js';
import { TabFallback } from './components/tab-fallback.js';
import { RevenueTab } from './revenue-tab.js';
import { Name } from '../../components/name.js';

const TestModelTab = lazy(() =>
  import('./test-model/test-model-tab.js').then(({ TestModelTab }) => ({ default: TestModelTab })),
);
const ProfileTab = lazy(() => import('./profile-tab.js').then(({ ProfileTab }) => ({ default: ProfileTab })));
const ControlsTab = lazy(() =>
  import('./controls/controls-tab.js').then(({ ControlsTab }) => ({ default: ControlsTab })),
);

interface DashboardProps {
  readonly creator: OwnCreator;
  /** Seen by an admin: read only, without the welcome and without the tab that acts for the creator. */
  readonly embedded?: boolean;
  /** Called after an act that changes the creator's page. */
  readonly onPageChange?: () => void;
}

interface DashboardTab {
  /** In the address as `?tab=`; the first tab is left out. */
  readonly id: string;
  readonly label: string;
  readonly Panel: React.ComponentType<Required<DashboardProps>>;
  /** Only for the creator. */
  readonly own?: true;
}

const TABS: readonly [DashboardTab, ...DashboardTab[]] = [
  { id: 'revenue', label: 'Revenue', Panel: RevenueTab },
  { id: 'test-model', label: 'Test Model', Panel: TestModelTab },
  { id: 'profile', label: 'Profile', Panel: ProfileTab },
  { id: 'controls', label: 'Controls', Panel: ControlsTab, own: true },
];

/** The dashboard of a creator who has or had a model (creator spec, section 2: case 6). The address keeps the tab. */
export function CreatorDashboard({
  creator,
  embedded = false,
  onPageChange = () => undefined,
}: DashboardProps): React.ReactNode {
  const tabs = TABS.filter(({ own }) => !embedded || !own);
  const [params, setParams] = useSearchParams();
  const { state } = useLocation() as { state: unknown };
  const open = tabs.find(({ id }) => id === params.get('tab')) ?? TABS[0];

  const show = (id: string): void => {
    const next = new URLSearchParams(params);
    if (id === TABS[0].id) next.delete('tab');
    else next.set('tab', id);
    setParams(next, { replace: true, state });
  };

  return (
    <div className={embedded ? undefined : 'wrap pt-1 sm:pt-3'}>
      {!embedded && <Welcome name={creator.name} hasModel={hasModel(creator)} />}
      <DashboardNotices creator={creator} embedded={embedded} pauseInView={open.id === 'controls'} />
      <Tabs.Root value={open.id} onValueChange={show} className="mt-8">
        <Tabs.List
          aria-label="Creator dashboard"
          className="no-scrollbar -mx-(--gutter) flex gap-3 overflow-x-auto border-b border-line px-[calc(var(--gutter)-6px)] sm:mx-0 sm:gap-7 sm:overflow-visible sm:px-0"
        >
          {tabs.map(({ id, label }) => (
            <Tabs.Trigger
              key={id}
              value={id}
              className="-mb-px h-12 shrink-0 whitespace-nowrap border-b-2 border-transparent text-16 text-ink-2 hover:text-ink max-sm:px-1.5 max-sm:focus-visible:-outline-offset-2 data-[state=active]:border-seal-mark data-[state=active]:font-[560] data-[state=active]:text-ink"
            >
              {label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {tabs.map(({ id, Panel }) => (
          <Tabs.Content key={id} value={id} className="pt-8">
            <Suspense fallback={<TabFallback />}>
              <Panel key={creator.id} creator={creator} embedded={embedded} onPageChange={onPageChange} />
            </Suspense>
          </Tabs.Content>
        ))}
      </Tabs.Root>
      {!embedded && <Foot />}
    </div>
  );
}

interface WelcomeProps {
  readonly name: string;
  readonly hasModel: boolean;
}

function Welcome({ name, hasModel }: WelcomeProps): React.ReactNode {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <title>Creator dashboard · Fanvas</title>
      <h1 className="display -ml-0.5 text-[3.25rem] text-balance break-words sm:text-[4.5rem]">
        Welcome back, <Name>{name}</Name>
      </h1>
      <div className="flex flex-wrap items-center gap-3 sm:pb-1.5">
        {hasModel && (
          <Badge tone="good" icon={<Check aria-hidden />}>
            Model Ready
          </Badge>
        )}
        <ButtonLink to="/">
          <ArrowLeft aria-hidden className="size-[18px]" />
          Back to main site
        </ButtonLink>
      </div>
    </div>
  );
}

function Foot(): React.ReactNode {
  return (
    <footer className="mt-16 flex flex-wrap gap-x-7 gap-y-2 text-14 text-ink-2">
      <p>
        Contact support: <SupportLink />
      </p>
      <a href="/creator-terms" target="_blank" rel="noopener" className="link">
        Creator Terms of Use<span className="sr-only"> (opens in a new tab)</span>
      </a>
    </footer>
  );
}

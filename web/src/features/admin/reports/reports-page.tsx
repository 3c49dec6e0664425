import { X } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { CaseKind, CaseReason, ModerationCaseRow } from '../../../../../src/contract/moderation.js';
import { Skeletons } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { cx } from '../../../lib/cx.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { useMayAct } from '../../../components/work-area/acts.js';
import { FilterChip } from '../../../components/work-area/filter-chip.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { ListDetail } from '../../../components/work-area/list-detail.js';
import { pageOf } from '../../../components/pagination.js';
import { useNumberedPages } from '../../../components/work-area/list-pages.js';
import { liveTimings } from '../../../components/work-area/live.js';
import { loadWords } from '../../../components/work-area/answer.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { formatCount } from '../../../components/work-area/page-count.js';
import { formatUtcDay } from '../../../components/work-area/utc.js';
import { CaseDetail } from './case-detail.js';
import { caseDetail, caseTitle, DECISIONS, KINDS, REASONS, waits } from './case-text.js';
import { useDecisions } from './use-decisions.js';
import { VeiledPicture } from './veiled-picture.js';
import { Named } from '../../../components/name.js';

const PAGE_SIZE = 50;

/** /admin/reports: reports of fans, take-downs of creators and refused prompts, one decision at a time. */
export default function ReportsPage(): React.ReactNode {
  const filter = useFilter();
  const { decided, kind, reason, creator, page } = filter;
  const list = useNumberedPages(
    'list_moderation_cases',
    { p_decided: decided, p_kind: kind, p_reason: reason, p_creator_id: creator },
    PAGE_SIZE,
    { timings: liveTimings, at: [page, filter.goTo] },
  );
  const { query, total } = list;
  const { queue, undoLast, ...decisions } = useDecisions(list, decided);
  const { rows } = queue;
  const [veiled, setVeiled] = useState(false);
  const mayAct = useMayAct();
  useKeys([
    { keys: ['V'], label: 'Veil', run: () => setVeiled(!veiled) },
    ...(undoLast && mayAct && !decided ? [{ keys: ['U'], label: 'Undo', run: undoLast }] : []),
  ]);
  const now = query.dataUpdatedAt;

  return (
    <WorkPage
      title="Reports"
      actions={<Toolbar filter={filter} total={query.data && total} rows={rows} />}
      footer={
        decided
          ? 'Decisions can be undone for 24 hours.'
          : `${formatCount(total)} open. Sexual content and minors first, then overdue take-downs, then the oldest.`
      }
    >
      <RpcList
        list={{ ...list, rows }}
        words={loadWords('reports')}
        empty={<Nothing filter={filter} />}
        skeleton={<Blocks />}
      >
        {() => (
          <ListDetail
            queue={queue}
            label={decided ? 'Decided cases' : 'Open cases'}
            head={
              <div className="flex h-9 items-center justify-between border-b border-line px-3 text-13 text-ink-2">
                <span>Reason</span>
                <span>{decided ? 'Decided' : 'Waits'}</span>
              </div>
            }
            row={(row, open) => <Row row={row} now={now} veiled={veiled || !open} />}
            foot={
              <p className="mt-3 text-13 text-ink-2">
                Sexual content and minors come first. Pictures stay veiled until opened.
              </p>
            }
            detailLabel={caseTitle}
            detail={(row) => (
              <CaseDetail
                row={row}
                veiled={veiled}
                onVeil={() => setVeiled(!veiled)}
                busy={decisions.busy}
                problem={decisions.problem}
                onDecide={(request) => decisions.decide({ row, request })}
                onNext={queue.next}
                onUndo={decisions.undo}
              />
            )}
          />
        )}
      </RpcList>
    </WorkPage>
  );
}

interface RowProps {
  readonly row: ModerationCaseRow;
  readonly now: number;
  readonly veiled: boolean;
}

function Row({ row, now, veiled }: RowProps): React.ReactNode {
  const { image, decision, decided_at, overdue } = row;
  return (
    <span className="flex min-h-[68px] items-center gap-3 px-3 py-2">
      <VeiledPicture image={image} veiled={veiled} alt="" sizes="44px" className="size-11 rounded-sm" />
      <span className="min-w-0 flex-1 text-14">
        <span className="line-clamp-2 font-[560]">{caseTitle(row)}</span>
        <span className="block truncate text-13 text-ink-2">
          <Named text={caseDetail(row)} name={row.creator_name} />
        </span>
      </span>
      <span className={cx('shrink-0 text-right text-14 tabular-nums', overdue ? 'text-bad' : 'text-ink-2')}>
        {decision === null ? (
          waits(row, now)
        ) : (
          <>
            {DECISIONS[decision]}
            <span className="block text-13">{decided_at !== null && formatUtcDay(decided_at)}</span>
          </>
        )}
      </span>
    </span>
  );
}

interface Filter {
  readonly decided: boolean;
  readonly kind: CaseKind | null;
  readonly reason: CaseReason | null;
  readonly creator: string | null;
  /** 1-based. */
  readonly page: number;
  readonly filtered: boolean;
  /** Shows other cases; a new filter begins at the first page. */
  readonly change: (name: 'tab' | 'kind' | 'reason' | 'creator', value: string | null) => void;
  readonly goTo: (page: number, options?: { readonly replace: true }) => void;
}

/** The filter is in the address, so that a queue can be linked. */
function useFilter(): Filter {
  const [params, setParams] = useSearchParams();
  const set = (name: string, value: string | null, options?: { readonly replace: true }): void =>
    setParams((before) => {
      if (value === null) before.delete(name);
      else before.set(name, value);
      before.delete('open');
      if (name !== 'page') before.delete('page');
      return before;
    }, options);
  const kind = KINDS.find(([value]) => value === params.get('kind'))?.[0] ?? null;
  const reason = REASONS.find(([value]) => value === params.get('reason'))?.[0] ?? null;
  const creator = params.get('creator');
  return {
    decided: params.get('tab') === 'decided',
    kind,
    reason,
    creator,
    page: pageOf(params),
    filtered: kind !== null || reason !== null || creator !== null,
    change: set,
    goTo: (page, options) => set('page', String(page), options),
  };
}

const CHIP =
  'inline-flex h-9 items-center gap-2 rounded-pill border px-3.5 text-14 whitespace-nowrap hover:border-line-strong';

interface ToolbarProps {
  readonly filter: Filter;
  /** Number of cases of this tab; undefined until it is known. */
  readonly total: number | undefined;
  readonly rows: readonly ModerationCaseRow[];
}

function Toolbar({ filter, total, rows }: ToolbarProps): React.ReactNode {
  const { decided, kind, reason, creator, change } = filter;
  const tab = (name: string, ofDecided: boolean): React.ReactNode => (
    <FilterChip pressed={decided === ofDecided} onPress={() => change('tab', ofDecided ? 'decided' : null)}>
      <span>{name}</span>
      {decided === ofDecided && total !== undefined && <span className="tabular-nums">{formatCount(total)}</span>}
    </FilterChip>
  );
  return (
    <>
      {tab('Open', false)}
      {tab('Decided', true)}
      <Choose label="Kind" value={kind} options={KINDS} onChange={(value) => change('kind', value)} />
      <Choose label="Reason" value={reason} options={REASONS} onChange={(value) => change('reason', value)} />
      {creator !== null && (
        <button type="button" className={cx(CHIP, 'border-line-strong')} onClick={() => change('creator', null)}>
          <span translate={rows[0] && 'no'}>{rows[0]?.creator_name ?? 'One creator'}</span>
          <X aria-hidden className="size-3.5" />
          <span className="sr-only">: show all creators</span>
        </button>
      )}
    </>
  );
}

interface ChooseProps {
  readonly label: string;
  readonly value: string | null;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string | null) => void;
}

function Choose({ label, value, options, onChange }: ChooseProps): React.ReactNode {
  return (
    <select
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
      className={cx(CHIP, 'max-w-44 bg-bg', value === null ? 'border-line text-ink-2' : 'border-line-strong')}
    >
      <option value="">{label}</option>
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  );
}

function Nothing({ filter: { decided, filtered } }: { readonly filter: Filter }): React.ReactNode {
  if (filtered) {
    return (
      <EmptyState title="No case matches">
        <Link className="link" to={decided ? '?tab=decided' : '?'}>
          Show all
        </Link>
      </EmptyState>
    );
  }
  if (decided) return <EmptyState title="Nothing was decided yet" />;
  return (
    <EmptyState title="All reports are decided">
      <Link className="link" to="?tab=decided">
        See what was decided
      </Link>
    </EmptyState>
  );
}

function Blocks(): React.ReactNode {
  return (
    <div className="mt-4 max-w-[420px] space-y-2">
      <Skeletons count={6} className="h-15 rounded-sm" />
    </div>
  );
}

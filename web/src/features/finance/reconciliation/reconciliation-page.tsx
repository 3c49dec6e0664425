import { useMutation } from '@tanstack/react-query';
import { CircleCheck, RefreshCw, Scale } from 'lucide-react';
import type { RpcRequest } from '../../../../../src/contract/calls.js';
import { MONTH } from '../../../../../src/contract/formats.js';
import type { Reconciliation } from '../../../../../src/contract/reconciliation.js';
import { Button } from '../../../components/button.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { toast } from '../../../components/toast.js';
import { Answer, loadWords } from '../../../components/work-area/answer.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { useLinkedPages } from '../../../components/work-area/list-pages.js';
import { liveTimings } from '../../../components/work-area/live.js';
import { formatUtcShort } from '../../../components/work-area/utc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { callRpc } from '../../../lib/api.js';
import { cx } from '../../../lib/cx.js';
import { problemOf } from '../../../lib/problem-of.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { CsvButton } from '../../../components/work-area/csv-button.js';
import { refusalOf } from '../components/refusal-of.js';
import { useAddress } from '../../../components/work-area/use-address.js';
import { addMonths, monthOf, monthsPeriod, monthText } from '../finance-text.js';
import { BalanceWalk } from './balance-walk.js';
import { DayStrip } from './day-strip.js';
import { DifferenceList } from './difference-list.js';
import { dayText, verdictOf } from './reconciliation-text.js';
import { refreshReconciliation } from './refresh.js';
import { SidesTable } from './sides-table.js';

/** /finance/reconciliation: both sides with their differences, and what each difference needs. */
export default function ReconciliationPage(): React.ReactNode {
  const [month, show] = useAddress('month');
  const period = periodOf(month);
  const query = useRpc('get_reconciliation', period, liveTimings);
  const refusal = refusalOf(query.error);
  const found = query.isPlaceholderData ? undefined : query.data;
  const file = new URLSearchParams({
    ...(period.p_from === undefined ? {} : { from: period.p_from }),
    ...(period.p_to === undefined ? {} : { to: period.p_to }),
  }).toString();
  return (
    <WorkPage
      title="Reconciliation"
      footer="The ledger is never changed to fit: a difference ends when both sides say the same"
      actions={
        <>
          {query.data && <Ran data={query.data} />}
          <MonthSelect data={query.data} month={month} onChange={show} />
          <RunNow />
          <CsvButton
            className="max-sm:w-full"
            address={found === undefined ? null : `/exports/reconciliation.csv?${file}`}
          />
        </>
      }
    >
      {refusal !== null ? (
        <p role="alert" className="mt-4 text-14 text-bad">
          {refusal}
        </p>
      ) : (
        <Answer query={query} words={loadWords('the reconciliation')} skeleton={<PageSkeleton />}>
          {(data) => <Sides key={month ?? ''} data={data} period={period} />}
        </Answer>
      )}
    </WorkPage>
  );
}

/** The request for a month, YYYY-MM; null: the current one. */
function periodOf(month: string | null): RpcRequest<'get_reconciliation'> {
  if (month === null) return {};
  if (!MONTH.test(month)) return { p_from: month };
  const { from, to } = monthsPeriod(month);
  return { p_from: from.slice(0, 10), p_to: to.slice(0, 10) };
}

function Ran({
  data: { at, ran_at: ran, again_at: again, failed_at: failed },
}: {
  readonly data: Reconciliation;
}): React.ReactNode {
  const now = Date.parse(at);
  return (
    <p className="text-14 tabular-nums text-ink-2 max-sm:w-full">
      {ran === null ? 'Has not run yet' : `Ran ${formatUtcShort(ran, now)} UTC`}
      {failed !== null && `, failed ${formatUtcShort(failed, now)}`}
      {again !== null && `, again ${formatUtcShort(again, now)}`}
    </p>
  );
}

interface MonthSelectProps {
  readonly data: Reconciliation | undefined;
  /** YYYY-MM; null: the current one. */
  readonly month: string | null;
  readonly onChange: (month: string | null) => void;
}

function MonthSelect({ data, month, onChange }: MonthSelectProps): React.ReactNode {
  if (data === undefined || data.begins_at === null) return null;
  const current = monthOf(data.at);
  const first = monthOf(data.begins_at);
  const months = [current];
  while (months.at(-1)! > first) months.push(addMonths(months.at(-1)!, -1));
  return (
    <label className="flex h-10 items-center gap-2 rounded-ctl border border-line-strong bg-bg pr-2 pl-3 text-14 max-sm:flex-1">
      <span className="text-ink-2">Month</span>
      <select
        value={month ?? current}
        onChange={(event) => onChange(event.target.value === current ? null : event.target.value)}
        className="min-w-0 flex-1 bg-bg font-[560] tabular-nums"
      >
        {month !== null && !months.includes(month) && <option value={month}>{month}</option>}
        {months.map((each) => (
          <option key={each} value={each}>
            {each === current ? `${monthText.shortYear(each)} so far` : monthText.shortYear(each)}
          </option>
        ))}
      </select>
    </label>
  );
}

function RunNow(): React.ReactNode {
  const run = useMutation({
    mutationFn: () => callRpc('run_reconciliation', {}),
    onSuccess: ({ state }) =>
      toast({ kind: 'success', title: state === 'ran' ? 'Both sides were compared.' : 'A run is in progress.' }),
    onSettled: refreshReconciliation,
  });
  const start = (): void => {
    if (!run.isPending) run.mutate();
  };
  useKeys([{ keys: ['R'], label: 'Run now', run: start }]);
  return (
    <>
      <Button className="max-sm:flex-1" busy={run.isPending} busyLabel="Running..." onClick={start}>
        <RefreshCw aria-hidden className="size-4" />
        Run now
      </Button>
      <p role="alert" className="order-last w-full text-14 text-bad empty:hidden">
        {problemOf(run.error)}
      </p>
    </>
  );
}

interface SidesProps {
  readonly data: Reconciliation;
  readonly period: ReturnType<typeof periodOf>;
}

function Sides({ data, period }: SidesProps): React.ReactNode {
  const list = useLinkedPages('list_differences', period, {
    field: 'p_after',
    rows: ({ differences }) => differences,
    timings: liveTimings,
  });
  if (data.begins_at === null && data.open.count === 0) {
    return (
      <EmptyState className="mt-6" title="The processor has said nothing yet">
        The first run copies every movement of the balance at the processor. Until then this side is unknown.
      </EmptyState>
    );
  }
  const shown = list.query.isPlaceholderData ? undefined : list.query.data;
  const ended = data.to < data.at;
  return (
    <>
      <Verdict data={data} shown={list.isFirst && shown?.next === null ? shown.differences : undefined} />
      <div className="mt-6 grid gap-x-14 gap-y-8 lg:grid-cols-2">
        <section aria-labelledby="sides" className="min-w-0">
          <h2 id="sides" className="display-sm text-24">
            Processor beside ledger
          </h2>
          <SidesTable data={data} />
        </section>
        <section aria-labelledby="walk" className="min-w-0">
          <h2 id="walk" className="display-sm text-24">
            Balance at the processor
          </h2>
          {data.walk === null ? (
            <p className="mt-3 text-14 text-ink-2">Unknown: nothing was read from the processor for this time.</p>
          ) : (
            <BalanceWalk
              walk={data.walk}
              start={`on ${dayText(data.from)}`}
              end={ended ? `on ${dayText(data.to)}` : 'now'}
            />
          )}
        </section>
      </div>
      <section aria-labelledby="differences" className="mt-10">
        <h2 id="differences" className="display-sm text-24">
          Differences
        </h2>
        <DifferenceList list={list} now={Date.parse(data.at)} />
      </section>
      <DayStrip days={data.days} />
    </>
  );
}

function Verdict({
  data,
  shown,
}: {
  readonly data: Reconciliation;
  readonly shown: Parameters<typeof verdictOf>[1];
}): React.ReactNode {
  const { head, text, good } = verdictOf(data, shown);
  const Icon = good ? CircleCheck : Scale;
  return (
    <div
      role="status"
      className={cx(
        'mt-5 flex gap-3 rounded-ctl px-4 py-3 text-14',
        good ? 'bg-good-wash text-good' : 'bg-warn-wash text-warn',
      )}
    >
      <Icon aria-hidden className="mt-0.5 size-[18px] shrink-0" />
      <p>
        <strong className="font-[600]">{head}</strong> <span>{text}</span>
      </p>
    </div>
  );
}

function PageSkeleton(): React.ReactNode {
  return (
    <>
      <Skeleton className="mt-5 h-11 rounded-ctl" />
      <Skeleton className="mt-6 h-72 rounded-sm" />
      <Skeleton className="mt-10 h-40 rounded-sm" />
    </>
  );
}

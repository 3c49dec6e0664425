import { useState } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import type { BookEntries, BookEntry } from '../../../../../src/contract/finance.js';
import { PAGE_SIZES } from '../../../../../src/contract/limits.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { ListDetail } from '../../../components/work-area/list-detail.js';
import { useLinkedPages } from '../../../components/work-area/list-pages.js';
import { loadWords } from '../../../components/work-area/answer.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { useQueue } from '../../../components/work-area/use-queue.js';
import { formatUtcSecond } from '../../../components/work-area/utc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { cx } from '../../../lib/cx.js';
import { CsvButton } from '../../../components/work-area/csv-button.js';
import { refusalOf } from '../components/refusal-of.js';
import { useEscBack } from '../components/use-esc-back.js';
import { EventPanel } from '../events/event-panel.js';
import { entriesFile } from '../finance-paths.js';
import { amount, BEGINNING, count, dollars, monthOf, monthsPeriod, monthText, type Period } from '../finance-text.js';
import { Name } from '../../../components/name.js';

/** /finance/entries: the entries behind a figure. An address without an account leads to the list of all accounts. */
export default function EntriesPage(): React.ReactNode {
  const [params] = useSearchParams();
  return ACCOUNTS.test(params.get('account') ?? '') ? <Entries /> : <Navigate to="/finance/balance" replace />;
}

const ACCOUNTS = /^\d+(,\d+)*$/;

/** The entries of the address, with the event of one of them. */
function Entries(): React.ReactNode {
  const [params] = useSearchParams();
  const text = (name: string): string | undefined => params.get(name) ?? undefined;
  // A typed address has no period, or one that is no date: then the page has all entries.
  const [all] = useState(() => ({ from: BEGINNING, to: monthsPeriod(monthOf(new Date().toISOString())).to }));
  const edgeOf = (side: keyof Period): string => {
    const edge = text(side) ?? '';
    return Number.isNaN(Date.parse(edge)) ? all[side] : edge;
  };
  const wanted = {
    accounts: (text('account') ?? '').split(',').map(Number),
    from: edgeOf('from'),
    to: edgeOf('to'),
    ...(text('creator_id') !== undefined && { creatorId: text('creator_id')! }),
    ...(text('bought_month') !== undefined && { boughtMonth: text('bought_month')! }),
  };
  const list = useLinkedPages(
    'list_book_entries',
    {
      p_accounts: wanted.accounts,
      p_from: wanted.from,
      p_to: wanted.to,
      ...(wanted.creatorId !== undefined && { p_creator_id: wanted.creatorId }),
      ...(wanted.boughtMonth !== undefined && { p_bought_month: wanted.boughtMonth }),
    },
    { field: 'p_after', rows: ({ entries }) => entries, param: 'after' },
  );
  const { data, error } = list.query;
  useEscBack();
  const refusal = refusalOf(error);
  return (
    <WorkPage
      title="Entries"
      back={{ to: '/finance', label: 'Overview' }}
      actions={<CsvButton address={data === undefined ? null : entriesFile(wanted)} />}
      footer="Times are UTC. The file has all entries of the period"
    >
      {refusal === null ? (
        <RpcList
          list={list}
          words={{ ...loadWords('the entries', 'entries'), pages: ['Previous', `Next ${PAGE_SIZES.bookEntries}`] }}
          empty={<EmptyState title="No entries">Nothing was posted to these accounts in the period.</EmptyState>}
          above={
            data && (
              <Summary data={data} period={wanted} creatorId={wanted.creatorId} boughtMonth={wanted.boughtMonth} />
            )
          }
          skeleton={<Skeleton className="mt-6 h-96 rounded-sm" />}
        >
          {(entries) => <Rows entries={entries} named={(data?.accounts.length ?? 0) > 1} />}
        </RpcList>
      ) : (
        <p role="alert" className="mt-4 text-14 text-bad">
          {refusal}
        </p>
      )}
    </WorkPage>
  );
}

interface SummaryProps {
  readonly data: BookEntries;
  readonly period: Period;
  readonly creatorId: string | undefined;
  readonly boughtMonth: string | undefined;
}

/** The accounts, the period and the sum of the entries. */
function Summary({
  data: { accounts, cents, credits },
  period,
  creatorId,
  boughtMonth,
}: SummaryProps): React.ReactNode {
  return (
    <>
      <ul aria-label="Accounts" className="mt-2 text-16">
        {accounts.map(({ account, name }) => (
          <li key={account}>
            <span className="tabular-nums">{account}</span> <span>{name}</span>
          </li>
        ))}
      </ul>
      <p className="mt-1 text-14 tabular-nums text-ink-2 [overflow-wrap:anywhere]">
        <span>
          {period.from === BEGINNING ? 'Up to' : `From ${edge(period.from)} to`} {edge(period.to)}
        </span>
        {creatorId !== undefined && (
          <span>
            , creator <Name>{creatorId}</Name>
          </span>
        )}
        <span>{boughtMonth !== undefined && `, bought in ${monthText.long(boughtMonth)}`}</span>
      </p>
      <p role="status" className="display-sm mt-3 text-32 tabular-nums">
        <span>{dollars(Math.abs(cents))}</span>
        <span className="font-sans text-14 font-[400] tracking-normal text-ink-2">
          {cents < 0 ? ' credit' : cents > 0 ? ' debit' : ' in all'}
          {credits !== 0 && `, ${count(Math.abs(credits))} credits`}
        </span>
      </p>
    </>
  );
}

/** `1 Oct 2026`, with the time when it is not the start of the day. */
function edge(instant: string): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return instant;
  const iso = date.toISOString();
  return iso.endsWith('T00:00:00.000Z')
    ? iso.slice(0, 10)
    : iso.replace('T', ' ').replace('.000Z', '').replace('Z', '');
}

/** Wide screens have columns for the time and the reference, which are else below the event. */
const ROW = 'grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 px-3 xl:grid-cols-[190px_130px_minmax(0,1fr)_80px]';

interface RowsProps {
  readonly entries: readonly BookEntry[];
  /** With their account, because there are several. */
  readonly named: boolean;
}

function Rows({ entries, named }: RowsProps): React.ReactNode {
  const [now] = useState(() => Date.now());
  const queue = useQueue(entries, ({ id }) => id);
  return (
    <ListDetail
      queue={queue}
      label="Entries, the oldest first"
      fills
      head={
        <p aria-hidden className={cx(ROW, 'h-9 items-center border-b border-line text-13 text-ink-2')}>
          <span>Event</span>
          <span className="max-xl:hidden">Time</span>
          <span className="max-xl:hidden">Of</span>
          <span className="text-right">US dollars</span>
        </p>
      }
      row={(entry) => <Row entry={entry} now={now} named={named} />}
      sticky
      detailLabel={({ event_type: type, version }) => `${type}, version ${version}`}
      detail={({ user_id: userId, version }) => <EventPanel userId={userId} version={version} linked />}
    />
  );
}

interface RowProps {
  readonly entry: BookEntry;
  readonly now: number;
  /** With its account, because there are several. */
  readonly named: boolean;
}

function Row({ entry, now, named }: RowProps): React.ReactNode {
  const { event_type: type, occurred_at: at, debit_cents: debit, credit_cents: credit, credits, account } = entry;
  const { payable_at: payable } = entry;
  const reference = entry.generation_id ?? entry.session_id ?? entry.user_id;
  const time = formatUtcSecond(at, now);
  const source = <Name>{named ? `${account}, ${reference}` : reference}</Name>;
  return (
    <span className={cx(ROW, 'py-2 text-14 tabular-nums')}>
      <span className="min-w-0">
        <span className="block font-[560]">{type}</span>
        <span className="block truncate text-13 text-ink-2 xl:hidden">
          <span>{time},</span> {source}
        </span>
        {account === 2100 && payable !== null && (
          <span className="block text-13 text-ink-2">payable from {formatUtcSecond(payable, now)}</span>
        )}
      </span>
      <span className="text-ink-2 max-xl:hidden">{time}</span>
      <span className="min-w-0 text-ink-2 [overflow-wrap:anywhere] max-xl:hidden">{source}</span>
      <span className="text-right whitespace-nowrap">
        <span className={cx('block', debit + credit === 0 && 'text-ink-3')}>{amount(debit + credit)}</span>
        <span className="block text-13 text-ink-2">
          {debit + credit === 0 ? `${count(credits)} credits` : debit > 0 ? 'debit' : 'credit'}
        </span>
      </span>
    </span>
  );
}

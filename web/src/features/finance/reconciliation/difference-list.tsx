import { useMutation } from '@tanstack/react-query';
import { Check, ExternalLink, Loader, UserRound } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Difference } from '../../../../../src/contract/reconciliation.js';
import { Button, buttonClass } from '../../../components/button.js';
import { toast } from '../../../components/toast.js';
import { useMayAct } from '../../../components/work-area/acts.js';
import { checkoutState } from '../../../components/work-area/checkout-state.js';
import type { ListPage } from '../../../components/work-area/list-pages.js';
import type { ListColumn } from '../../../components/work-area/list-rows.js';
import { loadWords } from '../../../components/work-area/answer.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { formatUtcInstant, formatUtcSecond } from '../../../components/work-area/utc.js';
import { cx } from '../../../lib/cx.js';
import { problemOf } from '../../../lib/problem-of.js';
import { reverifiedRpc } from '../../../lib/reverified-rpc.js';
import { CopyId } from '../components/copy-id.js';
import { amount, dollars } from '../finance-text.js';
import { eventPath } from '../finance-paths.js';
import { useIsAdmin } from '../shell/role.js';
import { nameOf, needText } from './reconciliation-text.js';
import { refreshReconciliation } from './refresh.js';

interface DifferenceListProps {
  readonly list: ListPage<'list_differences', Difference>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The differences with what each needs. */
export function DifferenceList({ list, now }: DifferenceListProps): React.ReactNode {
  return (
    <RpcList
      list={list}
      words={loadWords('the differences')}
      empty={
        <p className="flex items-center gap-2 text-14 text-good">
          <Check aria-hidden className="size-4" />
          None in this period
        </p>
      }
      caption="Differences between the processor and the ledger, the latest first"
      columns={columnsOf(now)}
      rowKey={({ id }) => id}
      below={(row) => (
        <>
          <span className="block">{formatUtcSecond(row.since, now)}</span>
          <Need difference={row} now={now} />
          <div className="mt-2">
            <Act difference={row} />
          </div>
        </>
      )}
      detail={(row) => <Records difference={row} />}
      keys={{ open: 'Both records' }}
      className="mt-2"
    />
  );
}

function columnsOf(now: number): readonly ListColumn<Difference>[] {
  return [
    { label: 'Kind', cell: (row) => <Kind {...nameOf(row)} /> },
    {
      label: 'Session',
      cell: ({ session_id: id }) => (
        <span translate="no" title={id ?? undefined}>
          {shortId(id)}
        </span>
      ),
      wideOnly: true,
    },
    { label: 'Since, UTC', cell: ({ since }) => formatUtcSecond(since, now), wideOnly: true },
    { label: 'Processor', cell: (row) => amount(row.processor_cents), numeric: true, wideOnly: true },
    { label: 'Ledger', cell: (row) => amount(row.ledger_cents), numeric: true, wideOnly: true },
    {
      label: 'Difference',
      cell: (row) => <span className="font-[600]">{amount(row.difference_cents)}</span>,
      numeric: true,
    },
    { label: 'What happens', cell: (row) => <Need difference={row} now={now} />, wideOnly: true },
    { label: 'Act', cell: (row) => <Act difference={row} />, wideOnly: true },
  ];
}

function Kind({ title, note }: ReturnType<typeof nameOf>): React.ReactNode {
  return (
    <>
      <span className="font-[600]">{title}</span>
      {note !== '' && <span className="block text-13 text-ink-2">{note}</span>}
    </>
  );
}

function Need({ difference, now }: { readonly difference: Difference; readonly now: number }): React.ReactNode {
  const { text, person } = needText(difference, now);
  const Icon = difference.need === 'nothing' ? Check : person ? UserRound : Loader;
  return (
    <span className={cx('inline-flex items-start gap-1.5', person ? 'text-warn' : 'text-ink-2')}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{text}</span>
    </span>
  );
}

/** The act that ends a difference, for the person who may do it. */
function Act({ difference }: { readonly difference: Difference }): React.ReactNode {
  const { can_retry: canRetry, need, session_id: session, processor_url: url } = difference;
  if (canRetry && session !== null) return <Retry session={session} movement={difference.movement} />;
  if (need !== 'refund_there' && need !== 'look_there') return null;
  return (
    <a href={url} target="_blank" rel="noreferrer" className={buttonClass({ size: 32 })}>
      <ExternalLink aria-hidden className="size-4" />
      At the processor
      <span className="sr-only">, in a new tab</span>
    </a>
  );
}

interface RetryProps {
  readonly session: string;
  readonly movement: Difference['movement'];
}

function Retry({ session, movement }: RetryProps): React.ReactNode {
  const isAdmin = useIsAdmin();
  const mayAct = useMayAct();
  const retry = useMutation({
    mutationFn: () => reverifiedRpc('retry_checkout_admin', { p_session_id: session }),
    // The processor may have nothing that can be settled: the money is on its way, or the checkout ended unpaid.
    onSuccess: ({ status }) =>
      toast(
        status === 'credited'
          ? { kind: 'success', title: 'The payment was settled. The next run compares it.' }
          : { kind: 'info', title: `Looked at again: ${checkoutState(status)}.` },
      ),
    onSettled: refreshReconciliation,
  });
  if (!isAdmin) return <span className="text-13 text-ink-2">An admin can do it now</span>;
  return (
    <>
      <Button size={32} disabled={!mayAct} busy={retry.isPending} busyLabel="Trying..." onClick={() => retry.mutate()}>
        {movement === 'payment' ? 'Credit now' : 'Settle now'}
      </Button>
      <span role="alert" className="block text-13 text-bad empty:hidden">
        {problemOf(retry.error)}
      </span>
    </>
  );
}

/** Both records side by side. */
function Records({ difference }: { readonly difference: Difference }): React.ReactNode {
  const { kind, since, event_stream: stream, event_version: version } = difference;
  const event = (
    <Link className="link" to={eventPath(stream, version)}>
      Version {version} of {kind === 'ours_only' ? 'the account' : 'the stream processor'}
    </Link>
  );
  return (
    <div className="grid gap-6 sm:grid-cols-2">
      <Record title="At the processor" missing={kind === 'ours_only'}>
        <Field name="Amount">{dollars(difference.processor_cents)}</Field>
        <Field name="Time">{formatUtcInstant(since)}</Field>
        <IdField name="Transaction" id={difference.transaction_id} />
        <IdField name="Payment" id={difference.payment_intent_id} />
        <IdField name="Source" id={difference.source_id} />
        {kind !== 'ours_only' && <Field name="Event">{event}</Field>}
      </Record>
      <Record title="In the ledger" missing={kind === 'theirs_only'}>
        <Field name="Amount">{dollars(difference.ledger_cents)}</Field>
        {kind === 'ours_only' && <Field name="Time">{formatUtcInstant(since)}</Field>}
        <IdField name="Reversal" id={difference.reversal_id} />
        {kind === 'ours_only' && <Field name="Event">{event}</Field>}
      </Record>
      {difference.session_id !== null && (
        <dl className="text-14 sm:col-span-2">
          <IdField name="Session" id={difference.session_id} />
        </dl>
      )}
    </div>
  );
}

interface RecordProps {
  readonly title: string;
  readonly missing: boolean;
  readonly children: React.ReactNode;
}

function Record({ title, missing, children }: RecordProps): React.ReactNode {
  return (
    <section aria-label={title}>
      <h3 className="text-14 font-[600]">{title}</h3>
      {missing ? <p className="mt-2 text-14 text-ink-2">Nothing</p> : <dl className="mt-2 text-14">{children}</dl>}
    </section>
  );
}

function Field({ name, children }: { readonly name: string; readonly children: React.ReactNode }): React.ReactNode {
  return (
    <div className="flex gap-4 border-b border-line py-1.5">
      <dt className="w-24 shrink-0 text-ink-2">{name}</dt>
      <dd className="min-w-0 tabular-nums">{children}</dd>
    </div>
  );
}

function IdField({ name, id }: { readonly name: string; readonly id: string | null }): React.ReactNode {
  if (id === null) return null;
  return (
    <Field name={name}>
      <CopyId name={`${name} ID`} id={id} />
    </Field>
  );
}

function shortId(id: string | null): string {
  if (id === null) return '–';
  return id.length <= 18 ? id : `${id.slice(0, 8)}…${id.slice(-8)}`;
}

import { CircleCheck, LoaderCircle, TriangleAlert } from 'lucide-react';
import { useParams } from 'react-router-dom';
import type { BankReport, RefusedTransfer } from '../../../../../src/contract/payouts.js';
import { ButtonLink } from '../../../components/button.js';
import { useLinkedPages } from '../../../components/work-area/list-pages.js';
import type { ListColumn } from '../../../components/work-area/list-rows.js';
import { loadWords } from '../../../components/work-area/answer.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { formatUtcDay, formatUtcInstant } from '../../../components/work-area/utc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { useEscBack } from '../components/use-esc-back.js';
import { amount, count } from '../finance-text.js';
import { useIsAdmin } from '../shell/role.js';
import { PAYOUTS_PATH } from './payout-paths.js';
import { counted } from '../../../lib/format.js';
import { personText } from './payout-text.js';
import { Name } from '../../../components/name.js';

/** Pause between two questions while lines have no outcome, milliseconds. */
const WATCH_MS = 1_500;

const COLUMNS: readonly ListColumn<RefusedTransfer>[] = [
  { label: 'Line', cell: ({ line }) => <span className="font-[560]">{line}</span> },
  { label: 'Why', cell: ({ problem }) => <span className="text-bad">{problem}</span>, wideOnly: true },
  {
    label: 'Reference',
    cell: ({ reference }) => <span className="tracking-[0.01em] [overflow-wrap:anywhere]">{reference}</span>,
    wideOnly: true,
  },
  { label: 'Bank reference', cell: ({ bank_reference: reference }) => reference, wideOnly: true },
  { label: 'Paid on', cell: ({ paid_on: day }) => formatUtcDay(day), wideOnly: true },
  { label: 'Amount', cell: ({ amount_cents: cents }) => amount(cents), numeric: true },
];

/** /finance/payouts/reports/:reportId: the outcome of a report of the bank, with each refused line. */
export default function ReportPage(): React.ReactNode {
  const { reportId = '' } = useParams();
  const list = useLinkedPages(
    'get_bank_report',
    { p_report_id: reportId },
    {
      field: 'p_after',
      rows: ({ refusals }) => refusals,
      timings: {
        refetchInterval: ({ state: { data } }) => ((data as BankReport | undefined)?.done === false ? WATCH_MS : false),
      },
    },
  );
  const report = list.query.data;
  const isAdmin = useIsAdmin();
  useEscBack();
  return (
    <WorkPage
      title="Report of the bank"
      back={{ to: PAYOUTS_PATH, label: 'Payouts' }}
      actions={isAdmin && <ButtonLink to={`${PAYOUTS_PATH}/record`}>Record another file</ButtonLink>}
      footer="Lines that were recorded may be in a later file again"
    >
      <RpcList
        list={list}
        words={loadWords('the report')}
        empty={null}
        above={
          report && (
            <>
              <Outcome report={report} />
              {report.refusals.length > 0 && <h2 className="display-sm mt-8 text-24">Refused lines</h2>}
            </>
          )
        }
        caption="Refused lines, US dollars"
        columns={COLUMNS}
        rowKey={({ line }) => String(line)}
        below={({ problem, reference, bank_reference: bank, paid_on: day }) => (
          <>
            <span className="block text-bad">{problem}</span>
            <span className="block [overflow-wrap:anywhere]">{reference}</span>
            <span className="block">
              {bank}, {formatUtcDay(day)}
            </span>
          </>
        )}
        className="mt-2"
      />
    </WorkPage>
  );
}

function Outcome({ report }: { readonly report: BankReport }): React.ReactNode {
  const { done, lines, recorded, refused, recorded_by: id, recorded_by_name: name, recorded_at: at } = report;
  const Icon = !done ? LoaderCircle : refused === 0 ? CircleCheck : TriangleAlert;
  return (
    <>
      <p className="mt-2 text-14 tabular-nums text-ink-2">
        <Name>{personText(id, name)}</Name>
        <span>, {formatUtcInstant(at)}</span>
      </p>
      <p role="status" className="mt-4 flex items-start gap-2.5 text-16 tabular-nums">
        <Icon
          aria-hidden
          className={`mt-0.5 size-5 shrink-0 ${!done ? 'animate-spin motion-reduce:animate-none' : refused === 0 ? 'text-good' : 'text-warn'}`}
        />
        <span>
          {!done
            ? `Recording: ${count(recorded + refused)} of ${counted(lines, 'line')}.`
            : refused === 0
              ? `${counted(recorded, 'transfer')} recorded. No line was refused.`
              : `${counted(recorded, 'transfer')} recorded, ${counted(refused, 'line')} refused.`}
        </span>
      </p>
    </>
  );
}

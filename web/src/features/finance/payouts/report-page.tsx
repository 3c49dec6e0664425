import { CircleCheck, LoaderCircle, TriangleAlert } from 'lucide-react';
import { useParams } from 'react-router-dom';
import type { BankReport, RefusedTransfer } from '../../../../../src/contract/payouts.js';
import { ButtonLink } from '../../../components/button.js';
import { Skeleton } from '../../../components/skeleton.js';
import { Answer } from '../../../components/work-area/answer.js';
import { formatUtcDay, formatUtcInstant } from '../../../components/work-area/utc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { useEscBack } from '../components/use-esc-back.js';
import { amount, count } from '../finance-text.js';
import { useIsAdmin } from '../shell/role.js';
import { LedgerTable, type LedgerColumn } from './ledger-table.js';
import { PagesNav } from './pages-nav.js';
import { PAYOUTS_PATH } from './payout-paths.js';
import { counted, personText } from './payout-text.js';
import { usePages } from './use-pages.js';
import { Name } from '../../../components/name.js';

/** Pause between two questions while lines have no outcome, milliseconds. */
const WATCH_MS = 1_500;

const COLUMNS: readonly LedgerColumn<RefusedTransfer>[] = [
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
  const { place, previous, to } = usePages<number>();
  const query = useRpc(
    'get_bank_report',
    { p_report_id: reportId, ...(place === null ? {} : { p_after: place }) },
    { refetchInterval: ({ state: { data } }) => ((data as BankReport | undefined)?.done === false ? WATCH_MS : false) },
  );
  const isAdmin = useIsAdmin();
  useEscBack();
  return (
    <WorkPage
      title="Report of the bank"
      back={{ to: PAYOUTS_PATH, label: 'Payouts' }}
      actions={isAdmin && <ButtonLink to={`${PAYOUTS_PATH}/record`}>Record another file</ButtonLink>}
      footer="Lines that were recorded may be in a later file again"
    >
      <Answer
        query={query}
        failure="Failed to load the report. Please try again."
        loadingText="Loading the report..."
        skeleton={<Skeleton className="mt-5 h-64 rounded-sm" />}
      >
        {(report) => (
          <>
            <Outcome report={report} />
            {report.refusals.length > 0 && (
              <>
                <h2 className="display-sm mt-8 text-24">Refused lines</h2>
                <LedgerTable
                  caption="Refused lines, US dollars"
                  head="Line"
                  columns={COLUMNS}
                  rows={report.refusals}
                  keyOf={({ line }) => String(line)}
                  name={({ line }) => <span className="font-[560] tabular-nums">{line}</span>}
                  below={({ problem, reference, bank_reference: bank, paid_on: day }) => (
                    <>
                      <span className="block text-bad">{problem}</span>
                      <span className="block [overflow-wrap:anywhere]">{reference}</span>
                      <span className="block">
                        {bank}, {formatUtcDay(day)}
                      </span>
                    </>
                  )}
                />
                <PagesNav onPrevious={previous} onNext={to(report.next)} />
              </>
            )}
          </>
        )}
      </Answer>
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

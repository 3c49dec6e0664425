import { ExternalLink } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { BookEntry } from '../../../../../src/contract/finance.js';
import { EmptyState } from '../../../components/states.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';
import { cx } from '../../../lib/cx.js';
import { amount, count } from '../finance-text.js';
import { useAuditPath } from '../shell/audit-link.js';
import { CopyId } from './copy-id.js';

interface EntryLinesProps {
  /** All lines of one event. */
  readonly lines: readonly BookEntry[];
}

const CELL = 'py-2 pl-3 text-right align-top tabular-nums whitespace-nowrap';

/** The lines of an event with their sums, and the ids behind them. */
export function EntryLines({ lines }: EntryLinesProps): React.ReactNode {
  const auditPath = useAuditPath();
  const [first] = lines;
  if (first === undefined) {
    return (
      <EmptyState className="mt-4" title="No entries">
        This event moves no value, or there is no such event.
      </EmptyState>
    );
  }
  const sum = (side: 'debit_cents' | 'credit_cents'): number => lines.reduce((total, line) => total + line[side], 0);
  return (
    <>
      <table className="mt-3 w-full border-collapse text-14">
        <caption className="sr-only">Entries of the event, US dollars</caption>
        <thead>
          <tr className="border-b border-line text-13 text-ink-2">
            <th scope="col" className="h-9 text-left font-[400]">
              Account
            </th>
            <th scope="col" className={cx(CELL, 'font-[400]')}>
              Debit
            </th>
            <th scope="col" className={cx(CELL, 'font-[400]')}>
              Credit
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.line} className="border-line not-last:border-b">
              <th scope="row" className="py-2 text-left align-top font-[400]">
                <span className="tabular-nums">{line.account}</span> <span>{line.account_name}</span>
                <LineNotes line={line} />
              </th>
              <Money cents={line.debit_cents} />
              <Money cents={line.credit_cents} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-t border-line-strong font-[600]">
            <th scope="row" className="py-2 text-left font-[600]">
              Sum
            </th>
            <td className={CELL}>{amount(sum('debit_cents'))}</td>
            <td className={CELL}>{amount(sum('credit_cents'))}</td>
          </tr>
        </tfoot>
      </table>
      <Ids lines={lines} />
      {auditPath !== null && (
        <p className="mt-4 text-14">
          <Link to={auditPath(first.user_id, first.version)} className="link inline-flex items-center gap-1.5">
            This event in the audit area
            <ExternalLink aria-hidden className="size-4" />
          </Link>
        </p>
      )}
    </>
  );
}

function Money({ cents }: { readonly cents: number }): React.ReactNode {
  return <td className={cx(CELL, cents === 0 && 'text-ink-3')}>{amount(cents)}</td>;
}

function LineNotes({ line }: { readonly line: BookEntry }): React.ReactNode {
  const { credits, bought_month: bought, payable_at: payable } = line;
  const notes = [
    credits !== 0 && `${count(credits)} credits`,
    bought !== null && `bought in ${bought}`,
    // The platform's half has the time too, but is not paid out.
    line.account === 2100 && payable !== null && `payable from ${formatUtcInstant(payable)}`,
  ].filter((note) => note !== false);
  if (notes.length === 0) return null;
  return <span className="block text-13 tabular-nums text-ink-2">{notes.join(', ')}</span>;
}

const IDS = [
  ['Purchase', 'session_id'],
  ['Image', 'generation_id'],
  ['Creator', 'creator_id'],
  ['Refund or dispute', 'reversal_id'],
] as const;

/** The ids of the lines, each once. */
function Ids({ lines }: EntryLinesProps): React.ReactNode {
  const first = lines[0]!;
  const found = IDS.flatMap(([name, field]) => {
    const ids = new Set(lines.map((line) => line[field]).filter((id) => id !== null));
    return [...ids].map((id) => ({ name, id }));
  });
  return (
    <dl className="mt-4 grid grid-cols-[112px_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-14 tabular-nums [&>dt]:pt-0.5 [&>dt]:text-ink-2">
      {[{ name: 'User', id: first.user_id }, ...found].map(({ name, id }) => (
        <IdRow key={`${name} ${id}`} name={name} id={id} />
      ))}
      <dt>Event</dt>
      <dd>
        <CopyId name="Entry ID" id={`${first.user_id}:${first.version}`} />
      </dd>
    </dl>
  );
}

function IdRow({ name, id }: { readonly name: string; readonly id: string }): React.ReactNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <CopyId name={`${name} ID`} id={id} />
      </dd>
    </>
  );
}

import { ExternalLink } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { BookEntry } from '../../../../../src/contract/finance.js';
import { EmptyState } from '../../../components/states.js';
import { ListRows, type ListColumn } from '../../../components/work-area/list-rows.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';
import { amount, count } from '../finance-text.js';
import { useAuditPath } from '../shell/audit-link.js';
import { CopyId } from './copy-id.js';

interface EntryLinesProps {
  /** All lines of one event. */
  readonly lines: readonly BookEntry[];
}

const money = (cents: number): React.ReactNode => (
  <span className={cents === 0 ? 'text-ink-3' : undefined}>{amount(cents)}</span>
);
const COLUMNS: readonly ListColumn<BookEntry>[] = [
  { label: 'Account', cell: (line) => <Account line={line} /> },
  { label: 'Debit', cell: (line) => money(line.debit_cents), numeric: true },
  { label: 'Credit', cell: (line) => money(line.credit_cents), numeric: true },
];

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
      <ListRows
        caption="Entries of the event, US dollars"
        columns={COLUMNS}
        rows={lines}
        rowKey={({ line }) => String(line)}
        foot={({ label }) =>
          label === 'Account' ? 'Sum' : amount(sum(label === 'Debit' ? 'debit_cents' : 'credit_cents'))
        }
        className="mt-3"
      />
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

function Account({ line }: { readonly line: BookEntry }): React.ReactNode {
  return (
    <>
      <span>{line.account}</span> <span>{line.account_name}</span>
      <LineNotes line={line} />
    </>
  );
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

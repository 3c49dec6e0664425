import { Check, TriangleAlert } from 'lucide-react';
import type { Reconciliation } from '../../../../../src/contract/reconciliation.js';
import { cx } from '../../../lib/cx.js';
import { amount, count } from '../finance-text.js';
import { MOVEMENTS } from './reconciliation-text.js';

const CELL = 'h-11 px-3 text-right tabular-nums max-sm:px-1.5';

/** Both sides of a period by kind, with the difference in words or figures. */
export function SidesTable({ data }: { readonly data: Reconciliation }): React.ReactNode {
  const rows = [
    ...data.kinds.map((kind) => ({ ...kind, name: MOVEMENTS[kind.kind] })),
    {
      name: 'Net',
      processor_count: null,
      ledger_count: null,
      processor_cents: data.processor_cents,
      ledger_cents: data.ledger_cents,
      difference_cents: data.difference_cents,
    },
  ];
  return (
    <table className="mt-2 w-full border-collapse text-14 max-sm:text-13">
      <caption className="sr-only">Processor beside ledger: number and US dollars by kind, with the difference</caption>
      <thead className="text-13 text-ink-2">
        <tr className="border-b border-line">
          <td />
          <th scope="colgroup" colSpan={2} className="h-9 px-3 text-right font-[400] max-sm:px-1.5">
            Processor
          </th>
          <th scope="colgroup" colSpan={2} className="h-9 px-3 text-right font-[400] max-sm:px-1.5">
            Ledger
          </th>
          <th scope="col" className="h-9 px-3 text-right font-[400] max-sm:px-1.5">
            Difference
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={row.name}
            className={cx(
              row.name === 'Net' ? 'border-t border-line-strong font-[600]' : 'border-b border-line',
              row.difference_cents !== 0 && row.name !== 'Net' && 'bg-hover shadow-[inset_2px_0_0_var(--seal-mark)]',
            )}
          >
            <th
              scope="row"
              className={cx('h-11 px-3 text-left max-sm:px-1.5', row.name === 'Net' ? 'font-[600]' : 'font-[400]')}
            >
              {row.name}
            </th>
            <td className={cx(CELL, 'text-ink-2')}>{row.processor_count !== null && count(row.processor_count)}</td>
            <td className={CELL}>{amount(row.processor_cents)}</td>
            <td className={cx(CELL, 'text-ink-2')}>{row.ledger_count !== null && count(row.ledger_count)}</td>
            <td className={CELL}>{amount(row.ledger_cents)}</td>
            <td className={CELL}>
              {row.difference_cents === 0 ? (
                <span className="inline-flex align-middle text-good">
                  <Check aria-hidden className="size-4" />
                  <span className="sr-only">0.00, equal</span>
                </span>
              ) : (
                <span className="inline-flex items-center justify-end gap-1 font-[600] whitespace-nowrap text-warn">
                  <TriangleAlert aria-hidden className="size-3.5" />
                  <span>{amount(row.difference_cents)}</span>
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

import type { VerifiedBalance, VerifiedParts } from './verifier-messages.js';

const CELL = 'py-2 pl-3 text-right align-top tabular-nums whitespace-nowrap sm:pl-6';

/** The trial balance that the verifier recomputed from an export, in US dollars. */
export function VerifiedTrialBalance({
  balances,
  parts,
}: {
  readonly balances: readonly VerifiedBalance[];
  readonly parts: VerifiedParts | null;
}): React.ReactNode {
  const sumOf = (side: 1 | -1): number =>
    balances.reduce((sum, { cents }) => sum + Math.max(0, side * (cents ?? 0)), 0);
  return (
    <>
      <h3 className="mt-8 text-16 font-[600]">Trial balance</h3>
      <p className="mt-1 max-w-[62ch] text-14 text-ink-2">
        Recomputed from the events, in US dollars. It should be the one that Fanvas states for the same instant. What
        only the payment processor can say is unknown.
      </p>
      <table className="mt-3 w-full max-w-[760px] border-collapse text-14">
        <caption className="sr-only">Trial balance</caption>
        <thead className="border-b border-line text-ink-2">
          <tr>
            <th scope="col" className="py-2 text-left font-[400]">
              Account
            </th>
            <th scope="col" className={`${CELL} font-[400]`}>
              Debit
            </th>
            <th scope="col" className={`${CELL} font-[400]`}>
              Credit
            </th>
          </tr>
        </thead>
        <tbody>
          {balances.map(({ account, name, cents }) => (
            <tr key={account} className="border-b border-line last:border-0">
              <th scope="row" className="py-2 text-left font-[400]">
                <span className="flex gap-2">
                  <span className="text-ink-2 tabular-nums">{account}</span> <span>{name}</span>
                </span>
                {account === 2100 && parts !== null && (
                  <span className="block text-13 text-ink-2 tabular-nums">
                    pending {dollars(parts.pendingCents)}, payable {dollars(parts.payableCents)}, debt{' '}
                    {dollars(parts.debtCents)}
                  </span>
                )}
              </th>
              <Side cents={cents} />
              <Side cents={cents === null ? null : 0 - cents} />
            </tr>
          ))}
        </tbody>
        <tfoot className="border-t border-line-strong font-[600]">
          <tr>
            <th scope="row" className="py-2 text-left font-[600]">
              Total
            </th>
            <td className={CELL}>{dollars(sumOf(1))}</td>
            <td className={CELL}>{dollars(sumOf(-1))}</td>
          </tr>
        </tfoot>
      </table>
    </>
  );
}

/** @param cents nothing of it is on this side unless it is above zero; null: unknown */
function Side({ cents }: { readonly cents: number | null }): React.ReactNode {
  if (cents === null) return <td className={`${CELL} text-ink-2`}>unknown</td>;
  return <td className={`${CELL} ${cents > 0 ? '' : 'text-ink-3'}`}>{dollars(Math.max(0, cents))}</td>;
}

/** `2,033.50` */
function dollars(cents: number): string {
  return (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

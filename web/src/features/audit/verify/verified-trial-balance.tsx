import { ListRows } from '../../../components/work-area/list-rows.js';
import type { VerifiedBalance, VerifiedParts } from './verifier-messages.js';

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
      <ListRows
        caption="Trial balance"
        columns={[
          { label: 'Account', cell: (balance) => <Account balance={balance} parts={parts} /> },
          { label: 'Debit', cell: ({ cents }) => side(cents), numeric: true },
          { label: 'Credit', cell: ({ cents }) => side(cents === null ? null : 0 - cents), numeric: true },
        ]}
        rows={balances}
        rowKey={({ account }) => String(account)}
        foot={({ label }) => (label === 'Account' ? 'Total' : dollars(sumOf(label === 'Debit' ? 1 : -1)))}
        className="mt-3 max-w-[760px]"
      />
    </>
  );
}

function Account({
  balance,
  parts,
}: {
  readonly balance: VerifiedBalance;
  readonly parts: VerifiedParts | null;
}): React.ReactNode {
  const { account, name } = balance;
  return (
    <>
      <span className="flex gap-2">
        <span className="text-ink-2">{account}</span> <span>{name}</span>
      </span>
      {account === 2100 && parts !== null && (
        <span className="block text-13 text-ink-2">
          pending {dollars(parts.pendingCents)}, payable {dollars(parts.payableCents)}, debt {dollars(parts.debtCents)}
        </span>
      )}
    </>
  );
}

/** @param cents nothing of it is on this side unless it is above zero; null: unknown */
function side(cents: number | null): React.ReactNode {
  if (cents === null) return <span className="text-ink-2">unknown</span>;
  return <span className={cents > 0 ? undefined : 'text-ink-3'}>{dollars(Math.max(0, cents))}</span>;
}

/** `2,033.50` */
function dollars(cents: number): string {
  return (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

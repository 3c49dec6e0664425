import type { AdminUser } from '../../../../../src/contract/admin-users.js';
import { EmptyState } from '../../../components/states.js';
import { formatMoney } from '../../../lib/format.js';
import { shortId } from '../components/act-text.js';
import { formatUtcMinute, kindText } from './user-text.js';

/** Unspent credits by the grant or purchase that they came with. */
export function LotsTab({ lots }: Pick<AdminUser, 'lots'>): React.ReactNode {
  if (lots.length === 0) return <EmptyState className="mt-4" title="All credits are spent" />;
  return (
    <>
      <p className="mt-4 text-14 text-ink-2">In the order in which they are spent.</p>
      <ol aria-label="Unspent credits" className="mt-2 border-t border-line text-14 tabular-nums">
        {lots.map(({ lot_id, kind, remaining, unit_price_cents, expires_at }) => (
          <li key={lot_id} className="flex items-baseline justify-between gap-4 border-b border-line py-2.5">
            <span className="min-w-0">
              <span>{kindText(kind)}</span>{' '}
              <span translate="no" className="text-ink-2" title={lot_id}>
                {shortId(lot_id)}
              </span>
              <span className="block text-13 text-ink-2">
                {expires_at === null ? 'Never expire' : `Expire ${formatUtcMinute(expires_at)} UTC`}
                {unit_price_cents !== null && `, bought at ${formatMoney(unit_price_cents)} a credit`}
              </span>
            </span>
            <span className="shrink-0 font-[560]">{remaining.toLocaleString('en')}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

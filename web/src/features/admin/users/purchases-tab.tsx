import { useState } from 'react';
import type { AdminUser } from '../../../../../src/contract/admin-users.js';
import { PAGE_SIZES } from '../../../../../src/contract/limits.js';
import type { Purchase } from '../../../../../src/contract/payments.js';
import { Badge, type Tone } from '../../../components/badge.js';
import { Button } from '../../../components/button.js';
import { EmptyState } from '../../../components/states.js';
import { formatMoney } from '../../../lib/format.js';
import { useMayAct } from '../../../components/work-area/acts.js';
import { useNumberedPages } from '../../../components/work-area/list-pages.js';
import { loadWords } from '../../../components/work-area/answer.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { RefundDialog } from './refund-dialog.js';
import { useRequestId } from '../../../lib/use-request-id.js';
import { formatUtcMinute, userName } from './user-text.js';

const STATES: Readonly<Record<Purchase['status'], readonly [tone: Tone, label: string]>> = {
  paid: ['good', 'Paid'],
  partially_refunded: ['neutral', 'Partly refunded'],
  refunded: ['neutral', 'Refunded'],
  disputed: ['bad', 'Disputed'],
};

/** The user's purchases, each with its refund. */
export function PurchasesTab({ user }: { readonly user: AdminUser }): React.ReactNode {
  const mayAct = useMayAct();
  const [refunding, setRefunding] = useState<Purchase | null>(null);
  // Kept while the dialog is closed: a refund whose answer was lost counts once.
  const requestId = useRequestId();
  const list = useNumberedPages('get_user_purchases_admin', { p_user_id: user.user_id }, PAGE_SIZES.purchases);
  return (
    <>
      <RpcList
        list={list}
        words={loadWords('the purchases', 'purchases')}
        empty={<EmptyState title={list.isFirst ? 'Nothing was bought' : 'There are no more purchases'} />}
        caption="Purchases"
        rowKey={({ id }) => id}
        item={(purchase) => (
          <PurchaseItem purchase={purchase} onRefund={user.closed || !mayAct ? null : () => setRefunding(purchase)} />
        )}
        className="mt-2"
      />
      {refunding && mayAct && (
        <RefundDialog
          purchase={refunding}
          name={userName(user)}
          requestId={requestId}
          onClose={() => setRefunding(null)}
        />
      )}
    </>
  );
}

interface PurchaseItemProps {
  readonly purchase: Purchase;
  /** Null when nothing can be changed. */
  readonly onRefund: (() => void) | null;
}

function PurchaseItem({ purchase, onRefund }: PurchaseItemProps): React.ReactNode {
  const { purchased_at, bundle_name, credits, amount_cents, currency, refunded_cents, status, receipt_url } = purchase;
  const [tone, label] = STATES[status];
  return (
    <>
      <div className="min-w-0 flex-1 basis-52">
        <p className="font-[560]">
          {bundle_name}, {credits.toLocaleString('en')} credits
        </p>
        <p className="text-13 text-ink-2">
          <span>{formatUtcMinute(purchased_at)} UTC</span>
          {receipt_url !== null && (
            <span>
              ,{' '}
              <a className="link" href={receipt_url} target="_blank" rel="noreferrer">
                receipt
                <span className="sr-only"> of {formatUtcMinute(purchased_at)} (opens in a new tab)</span>
              </a>
            </span>
          )}
        </p>
      </div>
      <div className="text-right">
        <p>{formatMoney(amount_cents, currency)}</p>
        {refunded_cents > 0 && <p className="text-13 text-ink-2">{formatMoney(refunded_cents, currency)} returned</p>}
      </div>
      <Badge tone={tone}>{label}</Badge>
      {onRefund && (
        <Button
          size={32}
          disabled={status === 'refunded' || status === 'disputed'}
          aria-label={`Refund ${bundle_name} of ${formatUtcMinute(purchased_at)}`}
          onClick={onRefund}
        >
          Refund
        </Button>
      )}
    </>
  );
}

import { reverifiedRpc } from '../../../lib/reverified-rpc.js';
import { dollars } from '../finance-text.js';
import { PayoutActDialog } from './payout-act-dialog.js';

/** A payout that a person wants to end. */
export interface PayoutToEnd {
  readonly payoutId: string;
  /** The creator. */
  readonly name: string;
  readonly cents: number;
  /** `cancel`: give it up. `fail`: the bank refused it, or it came back. */
  readonly end: 'cancel' | 'fail';
  readonly wasPaid: boolean;
}

interface EndPayoutDialogProps {
  readonly payout: PayoutToEnd;
  readonly onClose: () => void;
}

/** Gives up one payout, or records that it has failed. */
export function EndPayoutDialog({ payout, onClose }: EndPayoutDialogProps): React.ReactNode {
  const { payoutId: p_payout_id, name, cents, end: p_end, wasPaid } = payout;
  const texts =
    p_end === 'cancel'
      ? {
          title: `Give up ${dollars(cents)} to ${name}?`,
          description: 'No file for the bank will have it. The amount stays payable: a later run has it.',
          action: 'Give up the payout',
        }
      : {
          title: wasPaid ? `Did ${dollars(cents)} to ${name} come back?` : `Did ${dollars(cents)} to ${name} fail?`,
          description:
            'The amount is payable again. No run takes the creator until the payout details were changed, so that the same transfer does not fail again.',
          action: 'Record as failed',
        };
  return (
    <PayoutActDialog
      {...texts}
      danger
      asksReason
      act={(p_reason) => reverifiedRpc('end_payout', { p_payout_id, p_end, p_reason })}
      done={() => (p_end === 'cancel' ? `The payout to ${name} is given up.` : `The payout to ${name} has failed.`)}
      name={name}
      onClose={onClose}
    />
  );
}

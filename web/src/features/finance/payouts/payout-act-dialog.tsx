import { ActDialog, type ActDialogProps } from '../../../components/work-area/act-dialog.js';
import { refreshPayouts } from './refresh-payouts.js';

interface PayoutActDialogProps<Answer> extends Omit<ActDialogProps<Answer>, 'keep' | 'reasonHint' | 'refresh'> {
  /** It needs a reason; the log of acts keeps it. */
  readonly asksReason?: boolean;
}

/** Asks before an act on payouts, and sends it. */
export function PayoutActDialog<Answer>({ asksReason, ...act }: PayoutActDialogProps<Answer>): React.ReactNode {
  return (
    <ActDialog
      {...act}
      keep={act.danger ? 'Keep as it is' : 'Cancel'}
      reasonHint={asksReason ? 'Kept for good: no names, no personal facts.' : undefined}
      refresh={refreshPayouts}
    />
  );
}

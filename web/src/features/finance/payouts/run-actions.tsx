import { useState } from 'react';
import type { PayoutRunSums } from '../../../../../src/contract/payouts.js';
import { Button, ButtonLink } from '../../../components/button.js';
import { useMayAct } from '../../../components/work-area/acts.js';
import { Kbd } from '../../../components/work-area/kbd.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { formatUtcDay } from '../../../components/work-area/utc.js';
import { useViewer } from '../../../lib/auth.js';
import { reverifiedRpc } from '../../../lib/reverified-rpc.js';
import { useIsAdmin } from '../shell/role.js';
import { PayoutActDialog } from './payout-act-dialog.js';
import { PAYOUTS_PATH } from './payout-paths.js';
import { amountText } from './payout-text.js';
import { SECOND_PERSON } from './run-sums.js';

type Asked = 'fix' | 'check' | 'cancel';

/** The acts of this person on the run. There are none while the worker carries a step out. */
export function RunActions({ run }: { readonly run: PayoutRunSums }): React.ReactNode {
  const { step, working, files } = run;
  const { user } = useViewer();
  const mayAct = useMayAct();
  const isAdmin = useIsAdmin();
  const [asked, setAsked] = useState<Asked | null>(null);
  const ready = mayAct && !working;
  const own = run.drafted_by !== null && run.drafted_by === user?.id;
  const mayFix = ready && step === 'draft';
  const mayCheck = ready && isAdmin && step === 'fix';
  useKeys(
    mayFix
      ? [{ keys: ['F'], label: 'Fix', run: () => setAsked('fix') }]
      : mayCheck && !own
        ? [{ keys: ['F'], label: 'Check', run: () => setAsked('check') }]
        : [],
  );
  if (!ready) return null;
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:w-full max-sm:[&>*]:flex-1">
      {step !== 'cancel' && files === 0 && (
        <Button kind="danger" onClick={() => setAsked('cancel')}>
          Cancel run...
        </Button>
      )}
      {mayFix && (
        <Button kind="solid" onClick={() => setAsked('fix')}>
          Fix amounts now
          <span aria-hidden className="max-sm:hidden">
            <Kbd keys="F" />
          </span>
        </Button>
      )}
      {mayCheck && (
        <Button kind="solid" disabled={own} aria-describedby={SECOND_PERSON} onClick={() => setAsked('check')}>
          Check the run
          {!own && (
            <span aria-hidden className="max-sm:hidden">
              <Kbd keys="F" />
            </span>
          )}
        </Button>
      )}
      {isAdmin && step === 'check' && <ButtonLink to={`${PAYOUTS_PATH}/record`}>Record transfers</ButtonLink>}
      {asked && <Ask run={run} asked={asked} onClose={() => setAsked(null)} />}
    </div>
  );
}

interface AskProps {
  readonly run: PayoutRunSums;
  readonly asked: Asked;
  readonly onClose: () => void;
}

function Ask({ run, asked, onClose }: AskProps): React.ReactNode {
  const { run_id: p_run_id, number, payouts, cutoff } = run;
  if (asked === 'fix') {
    return (
      <PayoutActDialog
        title={`Fix the amounts of run ${number}?`}
        description={`Now ${amountText(payouts)}. The amounts are computed once more for the cutoff, ${formatUtcDay(cutoff)}, and are final then. Later corrections belong to the next run.`}
        action="Fix the amounts"
        act={() => reverifiedRpc('fix_payout_run', { p_run_id })}
        done={() => `The amounts of run ${number} are being fixed.`}
        onClose={onClose}
      />
    );
  }
  if (asked === 'check') {
    return (
      <PayoutActDialog
        title={`Check run ${number}?`}
        description={`You confirm ${amountText(payouts)}. Then the payouts can go to the bank.`}
        action="Confirm the check"
        act={() => reverifiedRpc('check_payout_run', { p_run_id })}
        done={() => `Run ${number} is being checked.`}
        onClose={onClose}
      />
    );
  }
  return (
    <PayoutActDialog
      title={`Cancel run ${number}?`}
      description={`${amountText(payouts)} is given up and stays payable: a later run has it.`}
      action={`Cancel run ${number}`}
      danger
      asksReason
      act={(p_reason) => reverifiedRpc('cancel_payout_run', { p_run_id, p_reason })}
      done={() => `Run ${number} is being cancelled.`}
      onClose={onClose}
    />
  );
}

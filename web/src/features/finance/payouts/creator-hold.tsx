import { useState } from 'react';
import { Button } from '../../../components/button.js';
import { TextField } from '../../../components/text-field.js';
import { reverifiedRpc } from '../../../lib/reverified-rpc.js';
import { PayoutActDialog } from './payout-act-dialog.js';

interface CreatorHoldProps {
  readonly creatorId: string;
  readonly name: string;
  /** A hold is in force. */
  readonly payoutsHeld: boolean;
}

/** Buttons that hold the payouts of a creator, or release them. For admins. */
export function CreatorHold({ creatorId, name, payoutsHeld }: CreatorHoldProps): React.ReactNode {
  const [asked, setAsked] = useState<'hold' | 'release' | null>(null);
  const [until, setUntil] = useState('');
  const close = (): void => setAsked(null);
  return (
    <>
      <Button size={32} onClick={() => setAsked('hold')}>
        {payoutsHeld ? 'Hold longer...' : 'Hold...'}
      </Button>
      {payoutsHeld && (
        <Button size={32} onClick={() => setAsked('release')}>
          Release...
        </Button>
      )}
      {asked === 'hold' && (
        <PayoutActDialog
          title={`Hold the payouts of ${name}?`}
          description="No run takes the creator before the day. A payout that is on its way goes on."
          action="Hold the payouts"
          danger
          asksReason
          ready={until.trim() !== ''}
          act={(p_reason) =>
            reverifiedRpc('hold_payouts', { p_creator_id: creatorId, p_until: until.trim(), p_reason })
          }
          done={() => `The payouts of ${name} are held.`}
          name={name}
          onClose={close}
        >
          <TextField
            label="Until, UTC"
            hint="A day such as 2026-12-24, at most two years ahead."
            className="mt-4"
            maxLength={40}
            autoComplete="off"
            spellCheck={false}
            value={until}
            onChange={(event) => setUntil(event.target.value)}
          />
        </PayoutActDialog>
      )}
      {asked === 'release' && (
        <PayoutActDialog
          title={`Release the payouts of ${name}?`}
          description="The next run takes the creator again."
          action="Release the payouts"
          asksReason
          act={(p_reason) => reverifiedRpc('release_payouts', { p_creator_id: creatorId, p_reason })}
          done={() => `The payouts of ${name} are released.`}
          name={name}
          onClose={close}
        />
      )}
    </>
  );
}

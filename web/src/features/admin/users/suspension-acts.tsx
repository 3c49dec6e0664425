import { useId, useState } from 'react';
import type { AdminUser } from '../../../../../src/contract/admin-users.js';
import { Button } from '../../../components/button.js';
import { reverifiedRpc } from '../../../lib/reverified-rpc.js';
import { ActDialog } from '../../../components/work-area/act-dialog.js';
import { refreshUser } from './refresh-user.js';
import { userName } from './user-text.js';

const DAYS = [1, 7, 30, 90, 365] as const;

/** Suspends a user, or ends a suspension. */
export function SuspensionActs({ user }: { readonly user: AdminUser }): React.ReactNode {
  const [open, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <Button kind={user.suspended ? 'line' : 'danger'} onClick={() => setOpen(true)}>
        {user.suspended ? 'Lift suspension' : 'Suspend...'}
      </Button>
      {open && (user.suspended ? <Lift user={user} onClose={close} /> : <Suspend user={user} onClose={close} />)}
    </>
  );
}

interface DialogProps {
  readonly user: AdminUser;
  readonly onClose: () => void;
}

function Suspend({ user, onClose }: DialogProps): React.ReactNode {
  const [days, setDays] = useState<number | null>(7);
  const id = useId();
  const name = userName(user);
  return (
    <ActDialog
      title={`Suspend ${name}`}
      name={name}
      description="A suspended fan cannot generate images or buy credits. Images, credits and the ledger stay as they are."
      action={days === null ? 'Suspend until lifted' : days === 1 ? 'Suspend for a day' : `Suspend for ${days} days`}
      danger
      reasonHint="The fan reads it: name the rule."
      confirmName={days === null ? name : undefined}
      act={(p_reason) => reverifiedRpc('suspend_user_admin', { p_user_id: user.user_id, p_days: days, p_reason })}
      done={() => `${name} is suspended.`}
      refresh={refreshUser}
      onClose={onClose}
    >
      <label htmlFor={id} className="mt-4 block text-14 font-[600]">
        How long
      </label>
      <select
        id={id}
        value={days ?? ''}
        onChange={(event) => setDays(event.target.value === '' ? null : Number(event.target.value))}
        className="mt-1.5 block h-11 w-full rounded-ctl border border-line-strong bg-bg px-3 text-16"
      >
        {DAYS.map((each) => (
          <option key={each} value={each}>
            {each === 1 ? 'A day' : `${each} days`}
          </option>
        ))}
        <option value="">Until an admin lifts it</option>
      </select>
    </ActDialog>
  );
}

function Lift({ user, onClose }: DialogProps): React.ReactNode {
  const name = userName(user);
  return (
    <ActDialog
      title={`Lift the suspension of ${name}`}
      name={name}
      description="The fan can generate images and buy credits again at once."
      action="Lift suspension"
      reasonHint="For the log of acts."
      act={(p_reason) => reverifiedRpc('lift_suspension_admin', { p_user_id: user.user_id, p_reason })}
      done={() => `The suspension of ${name} is lifted.`}
      refresh={refreshUser}
      onClose={onClose}
    />
  );
}

import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { AdminUser } from '../../../../../src/contract/admin-users.js';
import { Button } from '../../../components/button.js';
import { Modal } from '../../../components/dialog.js';
import { TextField } from '../../../components/text-field.js';
import { toast } from '../../../components/toast.js';
import { reverifiedRpc } from '../../../lib/reverified-rpc.js';
import { ReasonField } from '../../../components/work-area/reason-field.js';
import { problemOf } from '../../../lib/problem-of.js';
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
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const id = useId();
  const name = userName(user);
  const named = days !== null || typed.trim().toLowerCase() === name.toLowerCase();
  const suspend = useMutation({
    mutationFn: () =>
      reverifiedRpc('suspend_user_admin', { p_user_id: user.user_id, p_days: days, p_reason: reason.trim() }),
    onSuccess: () => {
      toast({ kind: 'success', title: `${name} is suspended.`, name });
      onClose();
    },
    onSettled: refreshUser,
  });
  return (
    <Modal
      open
      onOpenChange={(next) => next || onClose()}
      role="alertdialog"
      title={`Suspend ${name}`}
      name={name}
      description="A suspended fan cannot generate images or buy credits. Images, credits and the ledger stay as they are."
      footer={
        <>
          <Button kind="solid" onClick={onClose}>
            Cancel
          </Button>
          <Button
            kind="danger"
            disabled={reason.trim() === '' || !named}
            busy={suspend.isPending}
            busyLabel="Processing..."
            onClick={() => suspend.mutate()}
          >
            {days === null ? 'Suspend until lifted' : days === 1 ? 'Suspend for a day' : `Suspend for ${days} days`}
          </Button>
        </>
      }
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
      <ReasonField
        className="mt-4"
        label="Reason"
        hint="The fan reads it: name the rule."
        value={reason}
        onChange={setReason}
      />
      {days === null && (
        <TextField
          label={`Type ${name} to confirm`}
          labelled={name}
          className="mt-4"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <Problem error={suspend.error} />
    </Modal>
  );
}

function Lift({ user, onClose }: DialogProps): React.ReactNode {
  const [reason, setReason] = useState('');
  const name = userName(user);
  const lift = useMutation({
    mutationFn: () => reverifiedRpc('lift_suspension_admin', { p_user_id: user.user_id, p_reason: reason.trim() }),
    onSuccess: () => {
      toast({ kind: 'success', title: `The suspension of ${name} is lifted.`, name });
      onClose();
    },
    onSettled: refreshUser,
  });
  return (
    <Modal
      open
      onOpenChange={(next) => next || onClose()}
      title={`Lift the suspension of ${name}`}
      name={name}
      description="The fan can generate images and buy credits again at once."
      footer={
        <>
          <Button
            kind="solid"
            disabled={reason.trim() === ''}
            busy={lift.isPending}
            busyLabel="Processing..."
            onClick={() => lift.mutate()}
          >
            Lift suspension
          </Button>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <ReasonField className="mt-4" label="Reason" hint="For the log of acts." value={reason} onChange={setReason} />
      <Problem error={lift.error} />
    </Modal>
  );
}

function Problem({ error }: { readonly error: Error | null }): React.ReactNode {
  return (
    <p role="alert" className="mt-3 text-14 text-bad empty:hidden">
      {problemOf(error)}
    </p>
  );
}

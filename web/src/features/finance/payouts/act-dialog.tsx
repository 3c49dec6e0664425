import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button.js';
import { Modal } from '../../../components/dialog.js';
import { toast } from '../../../components/toast.js';
import { ReasonField } from '../../../components/work-area/reason-field.js';
import { problemOf } from '../../../lib/problem-of.js';
import { refreshPayouts } from './refresh-payouts.js';

interface ActDialogProps<Answer> {
  /** Names the act and its object: `Fix the amounts of run 9?` */
  readonly title: string;
  /** The consequences. */
  readonly description: React.ReactNode;
  /** The label of the act's button. */
  readonly action: string;
  /** It takes something away. */
  readonly danger?: boolean;
  /** It needs a reason; the log of acts keeps it. */
  readonly asksReason?: boolean;
  /** False while a field in `children` is missing. */
  readonly ready?: boolean;
  /** Sends the act. Gets the reason, '' without one. */
  readonly act: (reason: string) => Promise<Answer>;
  /** The message after it: `The amounts are fixed.` */
  readonly done: (answer: Answer) => string;
  /** The name in the title and in that message. */
  readonly name?: string;
  readonly onDone?: (answer: Answer) => void;
  readonly onClose: () => void;
  /** Fields above the reason. */
  readonly children?: React.ReactNode;
}

/** Asks before an act on payouts, and sends it. A refusal of the server stays in the dialog. */
export function ActDialog<Answer>(props: ActDialogProps<Answer>): React.ReactNode {
  const { title, name, description, action, danger = false, asksReason = false, ready = true, onClose } = props;
  const [reason, setReason] = useState('');
  const send = useMutation({
    mutationFn: () => props.act(reason.trim()),
    onSuccess: (answer) => {
      toast({ kind: 'success', title: props.done(answer), name });
      onClose();
      props.onDone?.(answer);
    },
    onSettled: refreshPayouts,
  });
  const disabled = !ready || (asksReason && reason.trim() === '');
  const confirm = (
    <Button
      kind={danger ? 'danger' : 'solid'}
      disabled={disabled}
      busy={send.isPending}
      busyLabel="Processing..."
      onClick={() => send.mutate()}
    >
      {action}
    </Button>
  );
  return (
    <Modal
      open
      onOpenChange={(next) => next || onClose()}
      role={danger ? 'alertdialog' : 'dialog'}
      title={title}
      name={name}
      description={description}
      footer={
        <>
          {!danger && confirm}
          <Button kind={danger ? 'solid' : 'quiet'} onClick={onClose}>
            {danger ? 'Keep as it is' : 'Cancel'}
          </Button>
          {danger && confirm}
        </>
      }
    >
      {props.children}
      {asksReason && (
        <ReasonField
          className="mt-4"
          label="Reason"
          hint="Kept for good: no names, no personal facts."
          value={reason}
          onChange={setReason}
        />
      )}
      <p role="alert" className="mt-3 text-14 text-bad empty:hidden">
        {problemOf(send.error)}
      </p>
    </Modal>
  );
}

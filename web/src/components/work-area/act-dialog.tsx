import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { problemOf } from '../../lib/problem-of.js';
import { Button } from '../button.js';
import { Modal } from '../dialog.js';
import { Problem } from '../states.js';
import { TextField } from '../text-field.js';
import { toast } from '../toast.js';
import { ReasonField } from './reason-field.js';

export interface ActDialogProps<Answer> {
  /** Names the act and its object: `Fix the amounts of run 9?` */
  readonly title: string;
  /** The consequences. */
  readonly description: React.ReactNode;
  /** `alertdialog` unless it takes nothing away. */
  readonly role?: 'dialog' | 'alertdialog';
  /** The label of the act's button. */
  readonly action: string;
  readonly busyLabel?: string;
  /** The label of the button that changes nothing. */
  readonly keep?: string;
  /** It takes something away. */
  readonly danger?: boolean;
  /** It has a reason: who reads it, and how long it is kept. */
  readonly reasonHint?: string | undefined;
  /** The label of a reason that may stay empty. */
  readonly optionalReason?: string;
  /** It cannot be undone: a name to type before it. Upper and lower case count as the same. */
  readonly confirmName?: string | undefined;
  /** False while a field in `children` is missing. */
  readonly ready?: boolean;
  /** Sends the act. Gets the reason, '' without one. */
  readonly act: (reason: string) => Promise<Answer>;
  /** The message after it: `The amounts are fixed.` */
  readonly done: (answer: Answer) => string;
  /** The name in the title and in that message. */
  readonly name?: string | undefined;
  readonly onDone?: (answer: Answer) => void;
  /** Fetches the answers that it changes again; also after a refusal. */
  readonly refresh: () => void;
  readonly onClose: () => void;
  /** Fields above the reason. */
  readonly children?: React.ReactNode;
}

/** Asks before an act, and sends it. Stays open until it has ended: a refusal of the server is shown here. */
export function ActDialog<Answer>(props: ActDialogProps<Answer>): React.ReactNode {
  const { title, name, description, action, danger = false, reasonHint, optionalReason, ready = true, onClose } = props;
  const { role = danger ? 'alertdialog' : 'dialog', busyLabel = 'Processing...', keep = 'Cancel' } = props;
  const { confirmName = '' } = props;
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const send = useMutation({
    mutationFn: () => props.act(reason.trim()),
    onSuccess: (answer) => {
      toast({ kind: 'success', title: props.done(answer), name });
      onClose();
      props.onDone?.(answer);
    },
    onSettled: props.refresh,
  });
  const isMissing = reasonHint !== undefined && optionalReason === undefined && reason.trim() === '';
  const isConfirmed = confirmName === '' || typed.trim().toLowerCase() === confirmName.trim().toLowerCase();
  const close = (): void => {
    if (!send.isPending) onClose();
  };
  const confirm = (
    <Button
      kind={danger ? 'danger' : 'solid'}
      disabled={!ready || isMissing || !isConfirmed}
      busy={send.isPending}
      busyLabel={busyLabel}
      onClick={() => send.mutate()}
    >
      {action}
    </Button>
  );
  return (
    <Modal
      open
      onOpenChange={close}
      role={role}
      title={title}
      name={name}
      description={description}
      footer={
        <>
          {!danger && confirm}
          <Button kind={danger ? 'solid' : 'quiet'} aria-disabled={send.isPending || undefined} onClick={close}>
            {keep}
          </Button>
          {danger && confirm}
        </>
      }
    >
      {props.children}
      {reasonHint !== undefined && (
        <ReasonField
          className="mt-4"
          label={optionalReason ?? 'Reason'}
          required={optionalReason === undefined}
          hint={reasonHint}
          value={reason}
          onChange={setReason}
        />
      )}
      {confirmName !== '' && (
        <TextField
          label={`Type ${confirmName} to confirm`}
          labelled={confirmName}
          className="mt-4"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <Problem>{problemOf(send.error)}</Problem>
    </Modal>
  );
}

import { useId, useRef, useState } from 'react';
import { CLOSING_MESSAGES, type AccountClosing, type ClosingChoice } from '../../../../../src/contract/closing.js';
import { Button } from '../../../components/button.js';
import { Modal } from '../../../components/dialog.js';
import { formatMoney } from '../../../lib/format.js';
import { useCloseAccount } from '../use-close-account.js';

interface CloseDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly closing: AccountClosing;
  readonly choice: ClosingChoice;
}

/** Asks for the typed word, then closes the account. */
export function CloseDialog({ open, onOpenChange, closing, choice }: CloseDialogProps): React.ReactNode {
  const [word, setWord] = useState('');
  const [missing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const { busy, problem, close } = useCloseAccount();
  const id = useId();

  const submit = (): void => {
    if (busy) return;
    const typed = word.trim().toUpperCase() === closing.confirmation;
    setMissing(!typed);
    if (typed) close(choice);
    else field.current?.focus();
  };
  const change = (next: boolean): void => {
    if (busy) return;
    if (!next) {
      setWord('');
      setMissing(false);
    }
    onOpenChange(next);
  };
  const message = missing ? CLOSING_MESSAGES.confirmation : problem;

  return (
    <Modal
      role="alertdialog"
      open={open}
      onOpenChange={change}
      title="Close your account for good?"
      description={describe(closing, choice)}
      footer={
        <>
          <Button kind="solid" aria-disabled={busy} onClick={() => change(false)}>
            Keep my account
          </Button>
          <Button kind="danger" type="submit" form={`${id}-form`} busy={busy} busyLabel="Closing...">
            Close for good
          </Button>
        </>
      }
    >
      <form
        id={`${id}-form`}
        className="mt-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <label htmlFor={`${id}-word`} className="block text-14 font-[600]">
          Type {closing.confirmation} to confirm
        </label>
        <input
          ref={field}
          id={`${id}-word`}
          value={word}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          aria-invalid={missing}
          aria-describedby={message === null ? undefined : `${id}-problem`}
          className="mt-1.5 block h-12 w-full rounded-ctl border border-line-strong bg-bg px-3 text-16"
          onChange={(event) => {
            setWord(event.target.value);
            setMissing(false);
          }}
        />
        <p id={`${id}-problem`} role="alert" className="mt-2 text-14 text-bad empty:hidden">
          {message}
        </p>
      </form>
    </Modal>
  );
}

function describe({ paid_credits: credits, paid_cents: cents }: AccountClosing, choice: ClosingChoice): string {
  const erased = 'Your images and prompts are erased, and your sign-in is deleted.';
  if (credits === 0) return `${erased} This cannot be undone.`;
  const money = choice === 'refund' ? `${formatMoney(cents)} is refunded.` : 'Your purchased credits are given up.';
  return `${erased} ${money} This cannot be undone.`;
}

import { useId, useRef, useState } from 'react';
import { TAKE_DOWN_HOURS, TAKE_DOWN_REASON_MAX_LENGTH } from '../../../../../src/contract/creator-controls.js';
import type { OwnStyleImage } from '../../../../../src/contract/gallery.js';
import { Button } from '../../../components/button.js';
import { Modal } from '../../../components/dialog.js';
import { useRpcEffect } from '../../../lib/use-rpc-effect.js';
import type { ControlsProps } from './use-pause.js';
import { problemOf } from '../../../lib/problem-of.js';

interface TakeDownDialogProps extends Pick<ControlsProps, 'onPageChange'> {
  /** Null while it is closed. */
  readonly image: OwnStyleImage | null;
  readonly onClose: () => void;
}

/** Asks the admins, with a reason, to remove an image. */
export function TakeDownDialog({ image, onPageChange, onClose }: TakeDownDialogProps): React.ReactNode {
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const request = useRpcEffect('request_take_down_by_jwt', ['get_images_of_own_style_by_jwt'], onPageChange);
  const id = useId();
  const problem = missing ? 'Please say why.' : problemOf(request.error);

  const close = (): void => {
    if (request.isPending) return;
    setReason('');
    setMissing(false);
    request.reset();
    onClose();
  };
  const submit = (): void => {
    if (request.isPending || image === null) return;
    const words = reason.trim();
    setMissing(words === '');
    if (words === '') return field.current?.focus();
    request.mutate(
      { p_generation_id: image.generation_id, p_reason: words },
      {
        onSuccess: () => {
          setReason('');
          onClose();
        },
      },
    );
  };

  return (
    <Modal
      open={image !== null}
      onOpenChange={close}
      title="Ask for take-down"
      description={`At once, only the picture’s owner and our team see it. We decide within ${TAKE_DOWN_HOURS} hours. What you earned with it stays yours.`}
      footer={
        <>
          <Button kind="solid" aria-disabled={request.isPending} onClick={close}>
            Cancel
          </Button>
          <Button kind="danger" type="submit" form={`${id}-form`} busy={request.isPending} busyLabel="Sending...">
            Ask for take-down
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
        <p translate="no" className="line-clamp-2 break-words text-14 text-ink-2">
          “{image?.prompt}”
        </p>
        <label htmlFor={id} className="mt-4 block text-14 font-[600]">
          Why should it go?
        </label>
        <textarea
          ref={field}
          id={id}
          rows={4}
          value={reason}
          maxLength={TAKE_DOWN_REASON_MAX_LENGTH}
          aria-invalid={missing}
          aria-describedby={`${id}-problem`}
          className="mt-1.5 block w-full resize-none rounded-ctl border border-line-strong bg-bg px-3 py-2 text-16"
          onChange={(event) => {
            setReason(event.target.value);
            setMissing(false);
          }}
        />
        <p className="mt-1 text-right text-13 tabular-nums text-ink-2">
          {reason.length} / {TAKE_DOWN_REASON_MAX_LENGTH}
        </p>
        <p id={`${id}-problem`} role="alert" className="text-14 text-bad">
          {problem}
        </p>
      </form>
    </Modal>
  );
}

import { useState } from 'react';
import { Button } from '../../../components/button.js';
import { Modal } from '../../../components/dialog.js';
import { TextField } from '../../../components/text-field.js';

interface PositionDialogProps {
  readonly prompt: string;
  /** From 1. */
  readonly position: number;
  readonly count: number;
  readonly onMove: (position: number) => void;
  readonly onClose: () => void;
}

/** Moves an image to the top, to the bottom or to a typed position. */
export function PositionDialog({ prompt, position, count, onMove, onClose }: PositionDialogProps): React.ReactNode {
  const [typed, setTyped] = useState(String(position));
  const [error, setError] = useState<string>();
  const move = (to: number): void => {
    onMove(to);
    onClose();
  };
  return (
    <Modal
      open
      onOpenChange={onClose}
      title="Move image"
      description={
        <span translate="no" className="line-clamp-2">
          {prompt}
        </span>
      }
      footer={
        <>
          <Button kind="solid" type="submit" form="position-form">
            Move
          </Button>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form
        id="position-form"
        noValidate
        className="mt-4 flex flex-wrap items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          const to = Number(typed);
          if (Number.isInteger(to) && to >= 1 && to <= count) move(to);
          else setError(`Type a whole number from 1 to ${count.toLocaleString('en')}`);
        }}
      >
        <TextField
          label={`Position (1 to ${count.toLocaleString('en')})`}
          className="w-full"
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          error={error}
          onFocus={(event) => event.target.select()}
          onChange={(event) => {
            setTyped(event.target.value);
            setError(undefined);
          }}
        />
        <Button onClick={() => move(1)}>To top</Button>
        <Button onClick={() => move(count)}>To bottom</Button>
      </form>
    </Modal>
  );
}

import { useState } from 'react';
import { Button } from '../../../components/button.js';
import { Modal } from '../../../components/dialog.js';
import { TextField } from '../../../components/text-field.js';

interface ConfirmByNameProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** Names the act: `Delete the model of Nadia Voss`. */
  readonly title: string;
  /** The consequences. */
  readonly description: React.ReactNode;
  /** The name to type; upper and lower case count as the same. */
  readonly name: string;
  /** The label of the act's button, with its object. */
  readonly action: string;
  /** False while something else is missing, such as a field in `children`. */
  readonly ready?: boolean;
  readonly busy?: boolean;
  /** Why the act failed. */
  readonly error?: string | undefined;
  readonly onConfirm: () => void;
  /** Fields of the act, above the name. */
  readonly children?: React.ReactNode;
}

/** Asks for a name before an act that cannot be undone. */
export function ConfirmByName(props: ConfirmByNameProps): React.ReactNode {
  // Mounted per opening, so that each one starts with an empty field.
  return props.open ? <OpenDialog {...props} /> : null;
}

function OpenDialog(props: ConfirmByNameProps): React.ReactNode {
  const { onOpenChange, title, description, name, action, ready = true, busy = false, error, onConfirm } = props;
  const [typed, setTyped] = useState('');
  const right = typed.trim().toLowerCase() === name.trim().toLowerCase();
  return (
    <Modal
      open
      onOpenChange={onOpenChange}
      role="alertdialog"
      title={title}
      name={name}
      description={description}
      footer={
        <>
          <Button kind="solid" onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button kind="danger" disabled={!right || !ready} busy={busy} busyLabel="Processing..." onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {props.children}
      <TextField
        label={`Type ${name} to confirm`}
        labelled={name}
        className="mt-4"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        error={error}
      />
    </Modal>
  );
}

import { Check, Plus } from 'lucide-react';
import { Button, type ButtonProps } from '../../../components/button.js';

interface AddButtonProps extends Pick<ButtonProps, 'kind' | 'size' | 'className'> {
  readonly inGallery: boolean;
  /** Why it cannot be added; null when it can. */
  readonly problem: string | null;
  readonly onAdd: () => void;
}

/** 'Add to Gallery', or a disabled 'In Gallery'. */
export function AddButton({ inGallery, problem, onAdd, ...look }: AddButtonProps): React.ReactNode {
  const disabled = inGallery || problem !== null;
  return (
    // Not `disabled`: the button would lose the focus when it is pressed.
    <Button {...look} aria-disabled={disabled} title={problem ?? undefined} onClick={disabled ? undefined : onAdd}>
      {inGallery ? <Check aria-hidden className="size-4" /> : <Plus aria-hidden className="size-4" />}
      <span>{inGallery ? 'In Gallery' : 'Add to Gallery'}</span>
    </Button>
  );
}

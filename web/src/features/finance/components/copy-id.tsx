import { Copy } from 'lucide-react';
import { IconButton } from '../../../components/button.js';
import { copyText } from '../../../components/copy.js';

interface CopyIdProps {
  /** As the beginning of a sentence: `Purchase ID` */
  readonly name: string;
  readonly id: string;
}

/** An id in full, with a button that copies it. */
export function CopyId({ name, id }: CopyIdProps): React.ReactNode {
  return (
    <span className="flex min-w-0 items-start gap-1">
      <span translate="no" className="min-w-0 pt-0.5 tracking-[0.01em] [overflow-wrap:anywhere]">
        {id}
      </span>
      <IconButton label={`Copy ${name}`} size={32} className="-my-1" onClick={() => void copyText(name, id)}>
        <Copy aria-hidden className="size-4" />
      </IconButton>
    </span>
  );
}

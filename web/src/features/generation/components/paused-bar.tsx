import { CirclePause } from 'lucide-react';
import { Name } from '../../../components/name.js';
import { FootBar } from './foot-bar.js';

/** In place of the prompt bar while the creator pauses. */
export function PausedBar({ name }: { readonly name: string }): React.ReactNode {
  return (
    <FootBar>
      <p
        role="status"
        className="pointer-events-auto mx-auto flex max-w-[800px] items-start gap-3 rounded-bar border border-line-strong bg-raised px-4 py-3.5 text-16 shadow-float sm:px-5 sm:py-4"
      >
        <CirclePause aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-2" />
        <span>
          <strong className="font-[600]">
            <Name>{name}</Name> is taking a break.
          </strong>{' '}
          <span className="text-ink-2">
            New images cannot be made for now. The gallery stays open, and images in progress are finished.
          </span>
        </span>
      </p>
    </FootBar>
  );
}

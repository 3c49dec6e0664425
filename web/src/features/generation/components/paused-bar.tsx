import { CirclePause } from 'lucide-react';
import { useRef } from 'react';
import { Name } from '../../../components/name.js';
import { useFootBar } from '../../../lib/use-foot-bar.js';

/** In place of the prompt bar while the creator pauses. */
export function PausedBar({ name }: { readonly name: string }): React.ReactNode {
  const barRef = useRef<HTMLDivElement>(null);
  useFootBar(barRef);
  return (
    <div
      ref={barRef}
      className="pointer-events-none fixed inset-x-3 bottom-[calc(12px+env(safe-area-inset-bottom))] z-(--z-bar) sm:inset-x-(--gutter) sm:bottom-5"
    >
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
    </div>
  );
}

import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { GenerationView } from '../../../../../src/contract/generation.js';
import { cx } from '../../../lib/cx.js';
import { textAttributes } from '../../../lib/text-language.js';
import { useHydrated } from '../../../lib/first-draw.js';
import { useNotificationChoice } from '../end-notification.js';
import { formatCreatedAt, type ShownGeneration } from '../generation-view.js';
import { Steps } from './progress.js';

/** The side of a running generation: its steps, and what happens to the credits. */
export function PendingSide({ view, cost }: { view: ShownGeneration; cost: number }): React.ReactNode {
  return (
    <>
      <Steps steps={view.steps} />
      <p className="mt-8 border-t border-line pt-5 text-14 text-ink-2">
        {cost} credits used. If it fails, times out or you cancel, they are refunded automatically.
      </p>
      <p className="mt-5 border-t border-line pt-5 text-14 text-ink-2">
        You can leave this page. The image will be in{' '}
        <Link to="/my-creations" className="link">
          My Creations
        </Link>
        . <NotifyMe />
      </p>
    </>
  );
}

/** Asks the browser for notifications when the fan presses it, and says what came of it. */
function NotifyMe(): React.ReactNode {
  const { permission, ask } = useNotificationChoice();
  const [asked, setAsked] = useState(false);
  const anchor = useRef<HTMLSpanElement>(null);
  const onPress = async (): Promise<void> => {
    await ask();
    setAsked(true);
    // The button is gone.
    anchor.current?.focus();
  };
  return (
    <span ref={anchor} tabIndex={-1} className="outline-none">
      <span>
        {permission === 'granted' && 'You will be notified when it is ready.'}
        {permission === 'denied' && asked && 'Your browser does not allow notifications of this site.'}
      </span>
      {permission === 'default' && (
        <button type="button" className="link" onClick={() => void onPress()}>
          Notify me when it is ready
        </button>
      )}
    </span>
  );
}

/** The side of an ended generation: prompt, date, and the actions on the image. */
export function EndedSide({
  row,
  view,
  children,
}: {
  readonly row: GenerationView;
  readonly view: ShownGeneration;
  readonly children?: React.ReactNode;
}): React.ReactNode {
  return (
    <>
      {view.state === 'completed' && <Prompt text={row.prompt} />}
      <p className={cx('text-16 text-ink-2', view.state === 'completed' && 'mt-3')}>
        <CreatedAt at={row.created_at} />
      </p>
      {children && <div className="mt-6">{children}</div>}
    </>
  );
}

/** In the browser's time zone, once it is known. */
function CreatedAt({ at }: { at: string }): React.ReactNode {
  const hydrated = useHydrated();
  return <time dateTime={at}>{hydrated ? formatCreatedAt(at) : `${formatCreatedAt(at, 'UTC')} UTC`}</time>;
}

/** Longer prompts are folded, because they would push everything else off the screen. */
const FOLDED_FROM = 320;

function Prompt({ text }: { text: string }): React.ReactNode {
  const [open, setOpen] = useState(false);
  const foldable = text.length >= FOLDED_FROM;
  return (
    <>
      <h1
        {...textAttributes(text)}
        className={cx(
          'break-words text-balance whitespace-pre-line',
          promptLook(text),
          foldable && !open && 'line-clamp-6',
        )}
      >
        {text}
      </h1>
      {foldable && (
        <button
          type="button"
          aria-expanded={open}
          className="link mt-1 min-h-6 text-14"
          onClick={() => setOpen((was) => !was)}
        >
          {open ? 'Show less' : 'Show the whole prompt'}
        </button>
      )}
    </>
  );
}

/** Shorter prompts are set in larger type. */
function promptLook(prompt: string): string {
  if (prompt.length <= 80) return 'display text-32 leading-(--display-lead-sm) lg:text-44';
  return prompt.length <= 200 ? 'display-sm text-24 leading-[max(1.1,var(--display-lead-sm))] lg:text-32' : 'text-18';
}

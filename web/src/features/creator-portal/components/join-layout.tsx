import type { ImageInfo } from '../../../../../src/contract/media.js';
import { Picture } from '../../../components/picture.js';
import { cx } from '../../../lib/cx.js';

interface JoinLayoutProps {
  readonly title: string;
  /** A picture of a creator; null while there is none. */
  readonly picture: ImageInfo | null;
  /** The form. */
  readonly children: React.ReactNode;
}

const FACTS = [
  ['You Own Your Likeness', 'You lend your style. You sell nothing.'],
  ['Exit Anytime', 'Pause with one switch. Withdraw, and your model stops at once.'],
  ['Free pictures pay nothing', 'Only credits that a fan has paid for earn. We show both.'],
] as const;

/** The offer to creators, with a form; on phones the form is between picture and facts. */
export function JoinLayout({ title, picture, children }: JoinLayoutProps): React.ReactNode {
  const long = title.length > 20;
  return (
    <div className="wrap flex flex-col pb-4 lg:grid lg:grid-cols-[minmax(0,1fr)_464px] lg:gap-x-18">
      <title>{`${title} · Fanvas`}</title>
      <div className="contents lg:block">
        <h1
          className={cx(
            'display -ml-0.5',
            long
              ? 'max-w-[5.8em] text-[3.75rem] sm:text-[clamp(4.5rem,8.1vw,6.5rem)]'
              : 'max-w-[5em] text-[4.5rem] sm:max-w-none sm:text-[clamp(4.5rem,9.6vw,7.75rem)]',
          )}
        >
          {title}
        </h1>
        <p className="mt-5 max-w-[36ch] text-20 text-ink-2">
          Fans pay to make pictures in your style. You agree to it first, you see every picture, and you keep half of
          what they pay.
        </p>
        <div className="mt-6 grid grid-cols-2 gap-1.5 sm:mt-8 sm:gap-2">
          <Half picture={picture} side="left" text="yours, for each paid picture" />
          <Half picture={picture} side="right" text="draws it, and runs Fanvas" />
        </div>
        <ul className="order-9 mt-7 grid border-t border-line text-14 sm:mt-8 sm:grid-cols-3">
          {FACTS.map(([fact, text]) => (
            <li
              key={fact}
              className="border-b border-line py-3.5 sm:border-b-0 sm:pb-0 sm:pr-5 sm:pt-4.5 sm:not-first:border-l sm:not-first:pl-5"
            >
              <p className="font-[600]">{fact}</p>
              <p className="text-ink-2">{text}</p>
            </li>
          ))}
        </ul>
      </div>
      <div className="mt-8 rounded-panel border border-line bg-surface p-5 sm:p-8 lg:sticky lg:top-21 lg:mt-0 lg:self-start">
        {children}
      </div>
    </div>
  );
}

interface HalfProps {
  readonly picture: ImageInfo | null;
  readonly side: 'left' | 'right';
  readonly text: string;
}

/** Half of the picture that costs a dollar: 50 cents. */
function Half({ picture, side, text }: HalfProps): React.ReactNode {
  const ours = side === 'right';
  return (
    <div className="min-w-0">
      <div
        className={cx(
          'relative h-59 overflow-hidden bg-hover sm:h-108',
          ours ? 'rounded-r-tile' : 'rounded-l-tile',
          ours && 'contrast-[.92] grayscale',
        )}
      >
        {picture && (
          <div
            className={cx('absolute inset-y-0 w-[calc(200%+6px)] sm:w-[calc(200%+8px)]', ours ? 'right-0' : 'left-0')}
          >
            <Picture image={picture} alt="" sizes="(min-width: 1024px) 50vw, 100vw" className="size-full" />
          </div>
        )}
      </div>
      <p className="flex flex-col gap-1 pt-3.5 sm:flex-row sm:items-baseline sm:gap-3">
        <span className={cx('display text-[2.75rem] tabular-nums sm:text-[3.5rem]', ours && 'text-ink-2')}>50¢</span>
        <span className="text-16 text-ink-2">{text}</span>
      </p>
    </div>
  );
}

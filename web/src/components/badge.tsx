import { cx } from '../lib/cx.js';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'seal';

const TONES: Record<Tone, string> = {
  neutral: 'bg-hover text-ink-2',
  good: 'bg-good-wash text-good',
  warn: 'bg-warn-wash text-warn',
  bad: 'bg-bad-wash text-bad',
  seal: 'bg-seal-wash text-seal-text',
};

interface Toned {
  readonly tone?: Tone;
  /** Shown next to the text, because colour alone is not accessible. */
  readonly icon?: React.ReactNode;
  readonly children: React.ReactNode;
  readonly className?: string | undefined;
}

/** A status label, 24 px high: a word on a tinted background, with an optional icon. */
export function Badge({ tone = 'neutral', icon, children, className }: Toned): React.ReactNode {
  return (
    <span
      className={cx(
        'inline-flex h-6 items-center gap-1.5 whitespace-nowrap rounded-pill px-2.5 text-13 font-[560] [&_svg]:size-3.5',
        TONES[tone],
        className,
      )}
    >
      {icon}
      <span>{children}</span>
    </span>
  );
}

/** A status message above or inside a section. */
export function Banner({ tone = 'neutral', icon, children, className }: Toned): React.ReactNode {
  return (
    <div
      className={cx(
        'flex items-center gap-3 rounded-ctl px-4 py-3 text-14 [&_svg]:size-[18px] [&_svg]:shrink-0',
        TONES[tone],
        className,
      )}
    >
      {icon}
      <div>{children}</div>
    </div>
  );
}

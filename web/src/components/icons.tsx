import { cx } from '../lib/cx.js';

interface IconProps {
  readonly className?: string | undefined;
}

/** The credit: a ring with a dot. */
export function CreditIcon({ className }: IconProps): React.ReactNode {
  return (
    <svg viewBox="0 0 16 16" fill="none" aria-hidden className={cx('size-4 shrink-0', className)}>
      <circle cx="8" cy="8" r="6" stroke="currentColor" strokeWidth="2.2" />
      <circle cx="8" cy="8" r="2.6" fill="currentColor" />
    </svg>
  );
}

const SCALLOPS = Array.from({ length: 12 }, (_, index) => {
  const angle = (index * Math.PI) / 6;
  return { x: 12 + 8.6 * Math.cos(angle), y: 12 + 8.6 * Math.sin(angle) };
});

/** The artist's seal next to the name of a verified creator. */
export function Seal({ className, label = 'Verified creator' }: IconProps & { label?: string }): React.ReactNode {
  return (
    <svg viewBox="0 0 24 24" role="img" aria-label={label} className={cx('size-5 shrink-0 text-seal-mark', className)}>
      <g fill="currentColor">
        <circle cx="12" cy="12" r="9.4" />
        {SCALLOPS.map(({ x, y }) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r="2.9" />
        ))}
      </g>
      <path
        d="m7.6 12.3 3 3 5.8-6"
        fill="none"
        stroke="var(--on-mark)"
        strokeWidth="2.3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** The mark: a stamped F. */
export function LogoMark({ className }: IconProps): React.ReactNode {
  return (
    <svg viewBox="0 0 24 24" aria-hidden className={cx('size-6 shrink-0', className)}>
      <g transform="rotate(-6 12 12)">
        <rect x="2" y="2" width="20" height="20" rx="5.5" fill="var(--seal)" />
        <path fill="var(--on-seal)" d="M8 18V6.2h8.5v2.9h-5.2v2h4.3v2.8h-4.3V18z" />
      </g>
    </svg>
  );
}

function Brand({ className, children }: IconProps & { children: React.ReactNode }): React.ReactNode {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      className={cx('size-4 shrink-0', className)}
    >
      {children}
    </svg>
  );
}

export function InstagramIcon({ className }: IconProps): React.ReactNode {
  return (
    <Brand className={className}>
      <rect x="3" y="3" width="18" height="18" rx="5" />
      <circle cx="12" cy="12" r="4" />
      <path d="M17 7h.01" />
    </Brand>
  );
}

export function XIcon({ className }: IconProps): React.ReactNode {
  return (
    <Brand className={className}>
      <path d="M4 4l16 16M20 4 4 20" />
    </Brand>
  );
}

export function OnlyFansIcon({ className }: IconProps): React.ReactNode {
  return (
    <Brand className={className}>
      <circle cx="8.5" cy="14" r="5.5" />
      <circle cx="8.5" cy="14" r="1.5" />
      <path d="M11.5 9.3C13 6.5 15 6 21 6c-.7 3-2.3 4.5-5 5 1.5.2 2.2.3 2.5.5-.8 2-2.5 3-4.7 3" />
    </Brand>
  );
}

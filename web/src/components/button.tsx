import { Link, type LinkProps } from 'react-router-dom';
import { cx } from '../lib/cx.js';

export type ButtonKind = 'seal' | 'solid' | 'line' | 'quiet' | 'danger';
/** Height in px. */
export type ButtonSize = 32 | 40 | 48;

interface Look {
  /** seal: the one main action of a view; solid: secondary; line: others; quiet: dismiss; danger: destroy. */
  readonly kind?: ButtonKind | undefined;
  readonly size?: ButtonSize | undefined;
}

const KINDS: Record<ButtonKind, string> = {
  seal: 'bg-seal text-on-seal hover:bg-seal-hover active:bg-seal-press',
  solid: 'bg-inverse text-on-inverse hover:opacity-90 active:opacity-80',
  line: 'border border-line-strong text-ink hover:bg-hover',
  quiet: 'text-ink-2 hover:bg-hover hover:text-ink',
  danger: 'border border-bad text-bad hover:bg-bad-wash',
};

// Heights scale with the reader's text size; the padding does not, because there is no room for it at 390 px.
const SIZES: Record<ButtonSize, string> = {
  32: 'h-8 gap-[6px] px-[12px] text-14 rounded-[10px]',
  40: 'h-10 gap-[8px] px-[16px] text-14 rounded-ctl',
  48: 'h-12 gap-[8px] px-[20px] text-16 rounded-ctl',
};

const DISABLED =
  'disabled:bg-hover disabled:border-transparent disabled:text-ink-3 disabled:opacity-100 aria-disabled:cursor-not-allowed aria-disabled:bg-hover aria-disabled:border-transparent aria-disabled:text-ink-3';

/** The classes of a button, for other elements. */
export function buttonClass({ kind = 'line', size = 40 }: Look = {}, className?: string): string {
  return cx(
    'touch inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap font-[600] transition-colors duration-[var(--dur-1)]',
    SIZES[size],
    KINDS[kind],
    DISABLED,
    className,
  );
}

export interface ButtonProps extends React.ComponentProps<'button'>, Look {
  /** The button shows `busyLabel` and cannot be pressed, but keeps its width and the focus. */
  readonly busy?: boolean;
  readonly busyLabel?: React.ReactNode;
}

/** A button. Both labels share one grid cell, so the width fits the longer one. */
export function Button({
  kind,
  size,
  busy = false,
  busyLabel,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps): React.ReactNode {
  return (
    <button
      type={type}
      {...rest}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={buttonClass({ kind, size }, className)}
    >
      {busyLabel === undefined ? (
        children
      ) : (
        <span className="grid place-items-center">
          <span
            aria-hidden={busy}
            className={cx('col-start-1 row-start-1 flex items-center gap-2', busy && 'invisible')}
          >
            {children}
          </span>
          <span aria-hidden={!busy} className={cx('col-start-1 row-start-1', !busy && 'invisible')}>
            {busyLabel}
          </span>
        </span>
      )}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({ kind, size, className, ...rest }: LinkProps & Look): React.ReactNode {
  return <Link {...rest} className={buttonClass({ kind, size }, className)} />;
}

export interface IconButtonProps extends Omit<React.ComponentProps<'button'>, 'aria-label'> {
  /** Accessible name. */
  readonly label: string;
  readonly kind?: 'line' | 'quiet';
  readonly size?: ButtonSize;
}

// In px: at 200 % text size, a row of these would otherwise overflow the window.
const ICON_SIZES: Record<ButtonSize, string> = {
  32: 'size-[32px] rounded-[10px]',
  40: 'size-[40px]',
  48: 'size-[48px]',
};

/** A square button with an icon only. */
export function IconButton({
  label,
  kind = 'quiet',
  size = 40,
  className,
  type = 'button',
  ...rest
}: IconButtonProps): React.ReactNode {
  return (
    <button
      type={type}
      aria-label={label}
      {...rest}
      className={cx(
        'touch inline-flex shrink-0 items-center justify-center rounded-ctl transition-colors duration-[var(--dur-1)] disabled:text-ink-3 [&>svg]:max-h-2/3 [&>svg]:max-w-2/3',
        ICON_SIZES[size],
        kind === 'line'
          ? 'border border-line-strong text-ink hover:bg-hover'
          : 'text-ink-2 hover:bg-hover hover:text-ink',
        className,
      )}
    />
  );
}

import { CircleAlert, Check, Info, X } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { cx } from '../lib/cx.js';
import { Button, buttonClass, IconButton } from './button.js';

export type ToastKind = 'success' | 'error' | 'info';

export interface ToastOptions {
  readonly title: string;
  readonly description?: string;
  /** One thing to do about it; it closes the toast. */
  readonly action?: {
    readonly label: string;
    readonly onClick: () => void;
    /** Makes it a link. */ readonly href?: string;
  };
  /** Errors stay until they are closed; the rest leave after a while. */
  readonly kind?: ToastKind;
}

interface Entry extends ToastOptions {
  readonly id: number;
}

const MAX_SHOWN = 3;
const STAYS_MS = 5000;

let entries: readonly Entry[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Entry[]): void {
  entries = next;
  for (const listener of [...listeners]) listener();
}

/** Says something at the foot of the page, wherever the person is; returns how to take it back. */
export function toast(options: ToastOptions): () => void {
  const id = ++lastId;
  // The same words twice are one message.
  const others = entries.filter((entry) => entry.title !== options.title || entry.description !== options.description);
  change([...others, { ...options, id }].slice(-MAX_SHOWN));
  return () => dismiss(id);
}

function dismiss(id: number): void {
  change(entries.filter((entry) => entry.id !== id));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The place of the toasts: above whatever bar the page keeps at its foot (`--foot-bar`, set by that bar). */
export function Toaster(): React.ReactNode {
  const shown = useSyncExternalStore(subscribe, () => entries);
  return (
    <section
      aria-label="Notifications"
      // There from the start: what is added to it is read out when nothing else is.
      aria-live="polite"
      className="toasts pointer-events-none fixed inset-x-4 bottom-[calc(16px+var(--foot-bar,0px)+env(safe-area-inset-bottom))] z-(--z-toast) flex flex-col items-center gap-3"
    >
      {shown.map((entry) => (
        <Toast key={entry.id} entry={entry} />
      ))}
    </section>
  );
}

const ICONS = {
  success: <Check className="text-good" />,
  error: <CircleAlert className="text-bad" />,
  info: <Info className="text-ink-2" />,
} as const;

function Toast({ entry }: { entry: Entry }): React.ReactNode {
  const { id, kind = 'info', title, description, action } = entry;
  const stays = kind === 'error' || action !== undefined;
  useEffect(() => {
    if (stays) return undefined;
    const timer = setTimeout(() => dismiss(id), STAYS_MS);
    return () => clearTimeout(timer);
  }, [id, stays]);

  return (
    <div
      role={kind === 'error' ? 'alert' : undefined}
      className={cx(
        'rise-in pointer-events-auto flex w-full max-w-[440px] items-center gap-3 rounded-ctl border border-line-strong bg-raised py-1.5 pl-4 pr-2 shadow-float',
        '[&>svg]:size-[18px] [&>svg]:shrink-0',
      )}
    >
      {ICONS[kind]}
      <div className="min-w-0 flex-1 py-1.5">
        <p className="text-16">{title}</p>
        {description && <p className="text-14 text-ink-2">{description}</p>}
      </div>
      {action &&
        (action.href === undefined ? (
          <Button
            kind="quiet"
            onClick={() => {
              dismiss(id);
              action.onClick();
            }}
          >
            {action.label}
          </Button>
        ) : (
          <a
            href={action.href}
            className={buttonClass({ kind: 'quiet' })}
            onClick={(event) => {
              dismiss(id);
              // Those who want another tab get one.
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              action.onClick();
            }}
          >
            {action.label}
          </a>
        ))}
      <IconButton label="Dismiss" onClick={() => dismiss(id)}>
        <X className="size-[18px]" />
      </IconButton>
    </div>
  );
}

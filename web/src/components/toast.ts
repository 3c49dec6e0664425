import { createListeners } from '../lib/listeners.js';

export type ToastKind = 'success' | 'error' | 'info';

export interface ToastOptions {
  readonly title: string;
  readonly description?: string;
  /** A name or e-mail address in the title: programs that translate the page leave it as it is. */
  readonly name?: string | undefined;
  /** The description is what a person wrote, such as a prompt. It is left as it is too. */
  readonly isQuote?: boolean;
  /** A text to copy, in a field that selects it. */
  readonly field?: string;
  /** One thing to do about it; it closes the toast. */
  readonly action?: {
    readonly label: string;
    readonly onClick: () => void;
    /** Makes it a link. */
    readonly href?: string;
  };
  /** Errors and toasts with an action stay until they are closed, the others for five seconds. */
  readonly kind?: ToastKind;
}

export interface ToastEntry extends ToastOptions {
  readonly id: number;
}

const MAX_SHOWN = 3;

let entries: readonly ToastEntry[] = [];
let lastId = 0;
const { subscribe: subscribeToasts, notify } = createListeners();
export { subscribeToasts };

function change(next: readonly ToastEntry[]): void {
  entries = next;
  notify();
}

/** Shows a message at the foot of the page, on every page; returns a function that removes it. */
export function toast(options: ToastOptions): () => void {
  const id = ++lastId;
  // The same text again replaces the first message.
  const others = entries.filter((entry) => entry.title !== options.title || entry.description !== options.description);
  change([...others, { ...options, id }].slice(-MAX_SHOWN));
  return () => dismissToast(id);
}

let pressed: Element | null = null;
if (typeof document !== 'undefined') {
  const note = ({ target }: Event): void => {
    pressed = target instanceof Element ? target.closest('button, a, input, select, textarea, label') : null;
  };
  document.addEventListener('click', note, true);
}

/** The control that was pressed last: the one that a new message is about. */
export function pressedControl(): Element | null {
  return pressed?.isConnected ? pressed : null;
}

export function dismissToast(id: number): void {
  change(entries.filter((entry) => entry.id !== id));
}

/** The messages to show, oldest first. */
export function shownToasts(): readonly ToastEntry[] {
  return entries;
}

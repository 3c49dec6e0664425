import { useEffect, useEffectEvent } from 'react';

/** Marks the element by which a finger drags its row. The row is the ancestor with `data-key`. */
export const TOUCH_HANDLE = { 'data-touch-handle': '' } as const;

/** Closer to an edge of the window than this, the page scrolls, px. It leaves room for the header and the save bar. */
const EDGE_PX = 130;
/** Speed of scrolling at the very edge, px a second. */
const MAX_PX_PER_SECOND = 1100;
/** A finger that moves less has tapped, px. */
const TAP_PX = 8;
/** A frame that comes later than this scrolls no further, so that a busy phone does not jump, ms. */
const LONGEST_FRAME = 50;

/** The rows of the list, which all have the same height. */
interface Rows {
  readonly ids: readonly string[];
  /** px */
  readonly rowHeight: number;
}

interface TouchDragOptions extends Rows {
  /** Called when the row would land at another index. */
  readonly onOver: (id: string, index: number) => void;
  readonly onDrop: (id: string, index: number) => void;
  readonly onCancel: (id: string) => void;
  /** The finger has touched the handle without moving. */
  readonly onTap: (id: string) => void;
}

/**
 * Drags rows with a finger on their handle. The drag library uses the browser's own drag and drop, which on phones
 * needs a long press or does not exist. A finger anywhere else scrolls the page as always. A second finger or Escape
 * cancels.
 */
export function useTouchDrag(list: React.RefObject<HTMLElement | null>, options: TouchDragOptions): void {
  const start = useEffectEvent((event: TouchEvent, running: TouchDrag | null): TouchDrag | null => {
    const handle = event.target instanceof Element ? event.target.closest('[data-touch-handle]') : null;
    const row = handle?.closest<HTMLElement>('[data-key]');
    const id = row?.dataset['key'];
    if (running || event.touches.length > 1 || !list.current || !row || id === undefined) return null;
    // Without this the browser scrolls the page, or begins its own drag after a long press, and takes the finger away.
    event.preventDefault();
    return new TouchDrag(list.current, row, id, event, options);
  });

  useEffect(() => {
    const element = list.current;
    if (!element) return;
    let drag: TouchDrag | null = null;
    const onTouchStart = (event: TouchEvent): void => {
      const started = start(event, drag?.isRunning ? drag : null);
      if (started) drag = started;
    };
    // React listens passively to touches, and could not prevent the scrolling.
    element.addEventListener('touchstart', onTouchStart, { passive: false });
    return () => {
      element.removeEventListener('touchstart', onTouchStart);
      drag?.cancel();
    };
  }, [list]);
}

/** One row below one finger, from the touch to the drop. */
class TouchDrag {
  isRunning = true;
  private readonly listeners = new AbortController();
  private readonly finger: number;
  private readonly startY: number;
  private readonly from: number;
  private y: number;
  private to: number;
  private ghost: HTMLElement | null = null;
  private line: HTMLElement | null = null;
  /** From the top of the row to the finger, px. */
  private grip = 0;
  private frame = 0;
  private lastFrame = 0;

  constructor(
    private readonly list: HTMLElement,
    private readonly row: HTMLElement,
    private readonly id: string,
    event: TouchEvent,
    private readonly options: TouchDragOptions,
  ) {
    const touch = event.changedTouches[0];
    this.finger = touch?.identifier ?? 0;
    this.startY = this.y = touch?.clientY ?? 0;
    this.from = this.to = options.ids.indexOf(id);
    const { signal } = this.listeners;
    // All events of a finger go to what it has touched first, even when the row has left the document meanwhile.
    const target = event.target as HTMLElement;
    target.addEventListener('touchmove', (move) => this.onMove(move), { signal, passive: false });
    target.addEventListener('touchend', (end) => this.onEnd(end), { signal, passive: false });
    target.addEventListener('touchcancel', () => this.cancel(), { signal });
    document.addEventListener('touchstart', () => this.cancel(), { signal, capture: true });
    document.addEventListener('keydown', (key) => this.onKey(key), { signal, capture: true });
  }

  /** Ends the drag without a move. */
  cancel(): void {
    if (!this.isRunning) return;
    const lifted = this.ghost !== null;
    this.stop();
    if (lifted) this.options.onCancel(this.id);
  }

  private onMove(event: TouchEvent): void {
    const touch = [...event.changedTouches].find(({ identifier }) => identifier === this.finger);
    if (!touch) return;
    event.preventDefault();
    this.y = touch.clientY;
    if (!this.ghost && Math.abs(this.y - this.startY) >= TAP_PX) this.lift();
  }

  private onEnd(event: TouchEvent): void {
    // No click follows: it would come after the row has moved, and hit another one.
    event.preventDefault();
    const { ghost, from, to, id, options } = this;
    this.stop();
    if (!ghost) options.onTap(id);
    else if (to === from) options.onCancel(id);
    else options.onDrop(id, to);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    this.cancel();
  }

  private lift(): void {
    const { left, top, width, height } = this.row.getBoundingClientRect();
    this.grip = this.startY - top;
    this.ghost = this.row.cloneNode(true) as HTMLElement;
    for (const element of [this.ghost, ...this.ghost.querySelectorAll('[id]')]) element.removeAttribute('id');
    delete this.ghost.dataset['key'];
    this.ghost.inert = true;
    this.ghost.className = 'pointer-events-none fixed top-0 z-(--z-bar) rounded-[14px] bg-raised shadow-float';
    Object.assign(this.ghost.style, { left: `${left}px`, width: `${width}px`, height: `${height}px` });
    this.line = document.createElement('div');
    this.line.className = 'pointer-events-none fixed top-0 z-(--z-bar) h-0.5 rounded-pill bg-seal-mark';
    Object.assign(this.line.style, { left: `${left}px`, width: `${width}px` });
    document.body.append(this.ghost, this.line);
    this.row.dataset['lifted'] = '';
    this.lastFrame = performance.now();
    this.follow(this.lastFrame);
  }

  /** Runs once a frame, because the page may scroll below a finger that rests. */
  private follow(now: number): void {
    const elapsed = Math.min(now - this.lastFrame, LONGEST_FRAME);
    this.lastFrame = now;
    const distance = (speedAt(this.y, window.innerHeight) * elapsed) / 1000;
    if (distance !== 0) window.scrollBy({ top: distance, behavior: 'instant' });

    const { rowHeight, ids } = this.options;
    const { top } = this.list.getBoundingClientRect();
    const gap = gapAt(this.y - top, { rowHeight, ids });
    this.ghost?.style.setProperty('transform', `translateY(${this.y - this.grip}px)`);
    this.line?.style.setProperty('transform', `translateY(${top + gap * rowHeight - 1}px)`);
    // The row itself leaves a gap when it moves down.
    const to = gap > this.from ? gap - 1 : gap;
    if (to !== this.to) {
      this.to = to;
      this.options.onOver(this.id, to);
    }
    this.frame = requestAnimationFrame((time) => this.follow(time));
  }

  private stop(): void {
    this.isRunning = false;
    cancelAnimationFrame(this.frame);
    this.listeners.abort();
    delete this.row.dataset['lifted'];
    this.ghost?.remove();
    this.line?.remove();
  }
}

/** The gap between two rows that is nearest to a place in the list: 0 is above the first row. */
function gapAt(y: number, { ids, rowHeight }: Rows): number {
  return Math.min(Math.max(Math.round(y / rowHeight), 0), ids.length);
}

/** Speed of scrolling in px a second for a finger at this height: negative is up, 0 in the middle of the window. */
function speedAt(y: number, windowHeight: number): number {
  const fromEdge = Math.min(y, windowHeight - y);
  if (fromEdge >= EDGE_PX) return 0;
  const speed = (1 - Math.max(fromEdge, 0) / EDGE_PX) * MAX_PX_PER_SECOND;
  return y < windowHeight / 2 ? -speed : speed;
}

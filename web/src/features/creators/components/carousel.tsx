import { useCallback, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type Ref } from 'react';
import { useNavigate } from 'react-router-dom';
import type { PublicCreator } from '../../../../../src/contract/gallery.js';
import { cx } from '../../../lib/cx.js';
import { watchScroll } from '../../../lib/scroll-watch.js';
import { cardAfterStep, intoMiddleCopy, nearestCard, positionOf, type Track } from '../carousel-position.js';
import { CreatorCard } from './creator-card.js';

const DRAG_STARTS_AT_PX = 6;

/** Width of a square card. Low windows get smaller cards, so that the name below stays visible. */
export const CARD_WIDTH = 'min(clamp(340px, 34.4vw, 520px), max(300px, 100svh - 440px))';
const GAP = '24px';
/** With this many cards, the centre card has neighbours on both sides, so the row can loop. */
const LOOP_FROM = 3;

export interface CarouselHandle {
  /** Moves one card back (-1) or forward (1). */
  step(by: -1 | 1): void;
}

interface CarouselProps {
  readonly creators: readonly PublicCreator[];
  /** Called with the 1-based position when another card reaches the centre. */
  readonly onPosition: (position: number) => void;
  readonly ref?: Ref<CarouselHandle>;
}

/**
 * An endless row of creators, one of them in the centre. The list is rendered three times, and the outer copies are inert.
 * When the row comes to rest in an outer copy, it jumps to the same card of the middle copy, which looks the same.
 */
export function Carousel({ creators, onPosition, ref }: CarouselProps): React.ReactNode {
  const count = creators.length;
  const copies = count >= LOOP_FROM ? 3 : 1;
  const row = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const drag = useDragToScroll(row);
  const [card, setCard] = useState(copies === 3 ? count : 0);
  const at = useRef(card);
  const scrollToCard = useScrollToCard(row);

  const track = useCallback((): Track => ({ count, stride: strideOf(row.current) }), [count]);

  // Positions the row before the first paint and when the card width changes with the window.
  useLayoutEffect(() => {
    const element = row.current;
    if (!element || copies === 1) return undefined;
    at.current = count;
    let known = 0;
    const place = (): void => {
      // Not the current scroll position: snapping may already have moved the row to another card.
      known = strideOf(element);
      element.scrollLeft = at.current * known;
    };
    place();
    const watch = new ResizeObserver(() => {
      if (strideOf(element) !== known) place();
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, [count, copies]);

  useEffect(() => {
    const element = row.current;
    if (!element || copies === 1) return undefined;
    const look = (): void => {
      at.current = nearestCard(track(), element.scrollLeft);
      setCard(at.current);
    };
    const settled = (): void => {
      if (drag.isDragging()) return;
      const to = intoMiddleCopy(track(), element.scrollLeft);
      if (to !== element.scrollLeft) element.scrollLeft = to;
      look();
    };
    const { scrolled, stop } = watchScroll({ moving: look, settled });
    element.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      stop();
      element.removeEventListener('scroll', scrolled);
    };
  }, [copies, drag, track]);

  useEffect(() => onPosition(positionOf(track(), card)), [card, onPosition, track]);

  useImperativeHandle(
    ref,
    () => ({
      step: (by) => {
        const element = row.current;
        if (!element) return;
        // During a smooth scroll, the next step starts at its target.
        const heading = scrollToCard.target() ?? element.scrollLeft;
        if (copies === 1) return scrollToCard(cardAfterStep(track(), heading, by));
        // Repeated presses never let the row come to rest, so the jump to the middle copy happens here.
        const shift = intoMiddleCopy(track(), heading) - heading;
        if (shift !== 0) jump(element, element.scrollLeft + shift);
        scrollToCard(cardAfterStep(track(), heading + shift, by));
      },
    }),
    [copies, scrollToCard, track],
  );

  /** The copies are inert, so clicks on them arrive at the row. */
  function onClick(event: React.MouseEvent): void {
    if (drag.justDragged() || (event.target as Element).closest('a')) return;
    const items = [...(row.current?.querySelectorAll<HTMLElement>('[data-card]') ?? [])];
    const hit = items.find((item) => {
      const box = item.getBoundingClientRect();
      return (
        event.clientX >= box.left &&
        event.clientX <= box.right &&
        event.clientY >= box.top &&
        event.clientY <= box.bottom
      );
    });
    const creator = creators[items.indexOf(hit as HTMLElement) % count];
    if (hit && creator) void navigate(`/${creator.username}`);
  }

  return (
    // Dragging and clicks on copies are for the mouse only: the cards are links, and the arrow buttons move the row.
    // eslint-disable-next-line jsx-a11y-x/click-events-have-key-events, jsx-a11y-x/no-noninteractive-element-interactions
    <div
      ref={row}
      role="group"
      aria-roledescription="carousel"
      aria-label="Featured creators"
      {...drag.handlers}
      onClick={onClick}
      onClickCapture={(event) => {
        if (!drag.justDragged()) return;
        event.preventDefault();
        event.stopPropagation();
      }}
      className={cx(
        'no-scrollbar flex overflow-x-auto overscroll-x-contain py-1',
        copies === 3 ? 'cursor-grab data-[dragging]:cursor-grabbing' : 'justify-center',
        copies === 3 && 'snap-x snap-mandatory data-[dragging]:snap-none data-[moving]:snap-none',
      )}
      style={{ gap: GAP, paddingInline: copies === 3 ? `calc(50% - ${CARD_WIDTH} / 2)` : undefined }}
    >
      {Array.from({ length: copies }, (_, copy) => {
        const real = copies === 1 || copy === 1;
        return creators.map((creator, index) => (
          <div
            key={`${copy} ${creator.id}`}
            data-card
            role={real ? 'group' : undefined}
            aria-roledescription={real ? 'slide' : undefined}
            aria-label={real ? `${index + 1} of ${count}` : undefined}
            inert={!real}
            aria-hidden={real ? undefined : true}
            className="shrink-0 snap-center"
            style={{ width: CARD_WIDTH }}
          >
            <CreatorCard creator={creator} width={CARD_WIDTH} priority={real && index === 0} />
          </div>
        ));
      })}
    </div>
  );
}

function strideOf(row: HTMLElement | null): number {
  const cards = row?.querySelectorAll<HTMLElement>('[data-card]');
  const [first, second] = [cards?.[0], cards?.[1]];
  if (!first) return 1;
  return second ? second.offsetLeft - first.offsetLeft : first.offsetWidth;
}

/** Moves to another copy during a scroll, with snapping off until the scroll has ended. */
function jump(row: HTMLElement, left: number): void {
  row.dataset['moving'] = '';
  row.scrollLeft = left;
  row.addEventListener('scrollend', () => delete row.dataset['moving'], { once: true });
}

type ScrollToCard = ((card: number) => void) & { target(): number | null };

/** Scrolls smoothly, or at once with reduced motion. */
function scrollRow(row: HTMLElement, left: number): void {
  const reduced = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  row.scrollTo({ left, behavior: reduced ? 'instant' : 'smooth' });
}

/** Scrolls the row to a card; `target` is where a running scroll ends. */
function useScrollToCard(row: React.RefObject<HTMLDivElement | null>): ScrollToCard {
  const [move] = useState<ScrollToCard>(() => {
    let target: number | null = null;
    let done: ReturnType<typeof setTimeout> | undefined;
    const run = (card: number): void => {
      const element = row.current;
      if (!element) return;
      target = card * strideOf(element);
      scrollRow(element, target);
      clearTimeout(done);
      done = setTimeout(() => {
        target = null;
      }, 400);
    };
    return Object.assign(run, { target: () => target });
  });
  return move;
}

interface Drag {
  readonly handlers: Pick<React.DOMAttributes<HTMLDivElement>, 'onPointerDown'>;
  isDragging(): boolean;
  /** True for the click that ends a drag. */
  justDragged(): boolean;
}

/** Drag with a mouse. Touch scrolls natively, and the arrow buttons work without dragging. */
function useDragToScroll(row: React.RefObject<HTMLDivElement | null>): Drag {
  const state = useRef({ dragging: false, dragged: false });
  const [drag] = useState<Drag>(() => ({
    isDragging: () => state.current.dragging,
    justDragged: () => state.current.dragged,
    handlers: {
      onPointerDown: (event) => {
        const element = row.current;
        state.current.dragged = false;
        if (!element || event.pointerType !== 'mouse' || event.button !== 0) return;
        const from = { x: event.clientX, left: element.scrollLeft };
        const ended = new AbortController();
        const { signal } = ended;
        const move = (now: PointerEvent): void => {
          const by = now.clientX - from.x;
          if (!state.current.dragging && Math.abs(by) < DRAG_STARTS_AT_PX) return;
          state.current = { dragging: true, dragged: true };
          element.dataset['dragging'] = '';
          element.scrollLeft = from.left - by;
        };
        const end = (): void => {
          ended.abort();
          if (!state.current.dragging) return;
          state.current.dragging = false;
          // Scroll to the nearest card before snapping is on again, because snapping jumps.
          const stride = strideOf(element);
          scrollRow(element, Math.round(element.scrollLeft / stride) * stride);
          setTimeout(() => {
            delete element.dataset['dragging'];
            state.current.dragged = false;
          }, 350);
        };
        window.addEventListener('pointermove', move, { signal });
        window.addEventListener('pointerup', end, { signal });
        window.addEventListener('pointercancel', end, { signal });
      },
    },
  }));
  return drag;
}

import { useCallback, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type Ref } from 'react';
import { useNavigate } from 'react-router-dom';
import type { PublicCreator } from '../../../../../src/contract/gallery.js';
import { cx } from '../../../lib/cx.js';
import { watchScroll } from '../../../lib/scroll-watch.js';
import { cardAfterStep, intoMiddleCopy, nearestCard, positionOf, type Track } from '../carousel-position.js';
import { CARD_WIDTH, CreatorCard } from './creator-card.js';

const DRAG_STARTS_AT_PX = 6;

/** With this many cards, the centre card has neighbours on both sides, so the row can loop. */
const LOOP_FROM = 3;

/** Without scripts, neither arrows nor copies exist and the row has no scrollbar: it is a grid. */
const WITHOUT_SCRIPTS =
  'noscript:wrap noscript:grid noscript:gap-y-9 sm:noscript:cursor-auto sm:noscript:grid-cols-2 lg:noscript:grid-cols-3';

/** The width of `gap-6`. */
const GAP_REM = 1.5;

export interface CarouselHandle {
  /** Moves one card back (-1) or forward (1). */
  step(by: -1 | 1): void;
}

interface CarouselProps {
  readonly creators: readonly PublicCreator[];
  /** False on phones, where the cards are a list. The server draws that list; the stylesheet puts it in a row. */
  readonly wide: boolean;
  /** Called with the 1-based position when another card reaches the centre. */
  readonly onPosition: (position: number) => void;
  readonly ref?: Ref<CarouselHandle>;
}

/**
 * An endless row of creators, one of them in the centre; on phones a list. The row is rendered three times; the outer
 * copies are inert.
 * When the row comes to rest in an outer copy, it jumps to the same card of the middle copy, which looks the same.
 */
export function Carousel({ creators, wide, onPosition, ref }: CarouselProps): React.ReactNode {
  const count = creators.length;
  const loops = count >= LOOP_FROM;
  const copies = wide && loops ? 3 : 1;
  const row = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const drag = useDragToScroll(row);
  const [card, setCard] = useState(copies === 3 ? count : 0);
  const at = useRef(card);
  const glide = useGlide(row);

  const track = useCallback((): Track => ({ count, stride: strideOf(row.current) }), [count]);

  // Positions the row before the first paint and when the card width changes with the window.
  useLayoutEffect(() => {
    const element = row.current;
    if (!element || copies === 1) return undefined;
    glide.end();
    at.current = count;
    let known = 0;
    const moveCards = (): void => {
      // Not the current scroll position: snapping may already have moved the row to another card.
      known = strideOf(element);
      element.scrollLeft = at.current * known;
    };
    moveCards();
    const watch = new ResizeObserver(() => {
      if (strideOf(element) !== known) moveCards();
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, [count, copies, glide]);

  useEffect(() => {
    const element = row.current;
    if (!element || copies === 1) return undefined;
    const look = (): void => {
      at.current = nearestCard(track(), element.scrollLeft);
      setCard(at.current);
    };
    const settled = (): void => {
      if (drag.isDragging()) return;
      const { scrollLeft } = element;
      const target = glide.target();
      if (target !== null && nearestCard(track(), scrollLeft) !== target) {
        // Not at rest yet: a busy browser pauses in the middle of a smooth scroll.
        glide.to(target);
        return;
      }
      const rest = target === null ? scrollLeft : target * strideOf(element);
      const to = intoMiddleCopy(track(), rest);
      if (to !== scrollLeft) element.scrollLeft = to;
      glide.end();
      look();
    };
    const { scrolled, stop } = watchScroll({ moving: look, settled });
    element.addEventListener('scroll', scrolled, { passive: true });
    for (const event of INTERRUPTIONS) element.addEventListener(event, glide.forget, { passive: true });
    return () => {
      stop();
      element.removeEventListener('scroll', scrolled);
      for (const event of INTERRUPTIONS) element.removeEventListener(event, glide.forget);
    };
  }, [copies, drag, glide, track]);

  useEffect(() => onPosition(positionOf(track(), card)), [card, onPosition, track]);

  useImperativeHandle(
    ref,
    () => ({
      step: (by) => {
        const element = row.current;
        if (!element) return;
        if (copies === 1) {
          scrollRow(element, cardAfterStep(track(), element.scrollLeft, by) * strideOf(element));
          return;
        }
        // During a smooth scroll, the next step starts at its target.
        const target = glide.target();
        const heading = target === null ? element.scrollLeft : target * strideOf(element);
        // Repeated presses never let the row come to rest, so the jump to the middle copy happens here.
        const shift = intoMiddleCopy(track(), heading) - heading;
        glide.to(cardAfterStep(track(), heading + shift, by), shift);
      },
    }),
    [copies, glide, track],
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
    <div
      ref={row}
      {...(wide
        ? {
            role: 'group',
            'aria-roledescription': 'carousel',
            'aria-label': 'Featured creators',
            ...drag.handlers,
            onClick,
          }
        : { role: 'list' })}
      onClickCapture={(event) => {
        if (!drag.justDragged()) return;
        event.preventDefault();
        event.stopPropagation();
      }}
      className={cx(
        'flex max-sm:wrap max-sm:flex-col max-sm:gap-9 sm:no-scrollbar sm:gap-6 sm:overflow-x-auto sm:overscroll-x-contain sm:px-[max(0px,calc(50%-var(--centred)/2))] sm:py-1',
        loops &&
          'sm:cursor-grab sm:snap-x sm:snap-mandatory sm:data-[dragging]:cursor-grabbing sm:data-[dragging]:snap-none sm:data-[moving]:snap-none',
        WITHOUT_SCRIPTS,
      )}
      style={{ '--card': CARD_WIDTH, '--centred': loops ? CARD_WIDTH : rowWidth(count) } as React.CSSProperties}
    >
      {Array.from({ length: copies }, (_, copy) => {
        const real = copies === 1 || copy === 1;
        return creators.map((creator, index) => (
          <div
            // The card keeps its element when the copies are added.
            key={real ? creator.id : `${copy} ${creator.id}`}
            data-card
            {...(real &&
              (wide
                ? { role: 'group', 'aria-roledescription': 'slide', 'aria-label': `${index + 1} of ${count}` }
                : { role: 'listitem' }))}
            inert={!real}
            aria-hidden={real ? undefined : true}
            className="sm:w-(--card) sm:shrink-0 sm:snap-center noscript:w-auto"
          >
            <CreatorCard creator={creator} priority={real && index === 0} />
          </div>
        ));
      })}
    </div>
  );
}

/**
 * CSS width of that many cards in a row. The row is centred by its padding: `justify-content` would move the first card
 * when the document brings the next one.
 */
function rowWidth(count: number): string {
  return `calc(${count} * ${CARD_WIDTH} + ${(count - 1) * GAP_REM}rem)`;
}

/** Averaged over all cards, because `offsetLeft` is rounded and the width of a card is not. */
function strideOf(row: HTMLElement | null): number {
  const cards = row?.querySelectorAll<HTMLElement>('[data-card]');
  const first = cards?.[0];
  if (!cards || !first) return 1;
  const last = cards[cards.length - 1] ?? first;
  return last === first ? first.offsetWidth : (last.offsetLeft - first.offsetLeft) / (cards.length - 1);
}

/** Scrolls smoothly, or at once with reduced motion. */
function scrollRow(row: HTMLElement, scrollLeft: number): void {
  const reduced = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  row.scrollTo({ left: scrollLeft, behavior: reduced ? 'instant' : 'smooth' });
}

/** The user's own ways to scroll the row. */
const INTERRUPTIONS = ['pointerdown', 'wheel', 'keydown', 'focusin'] as const;

/** A smooth scroll to a card. Snapping is off until the row has arrived, because it would cut the scroll short. */
interface Glide {
  /** Scrolls to a card, after a jump by `shift` px that shows the same cards. */
  to(card: number, shift?: number): void;
  /** The card at which the running scroll ends; null when none is running. */
  target(): number | null;
  /** Gives up the target, because the user scrolls. */
  readonly forget: () => void;
  /** Switches snapping on again. */
  end(): void;
}

function useGlide(row: React.RefObject<HTMLDivElement | null>): Glide {
  const [glide] = useState<Glide>(() => {
    let target: number | null = null;
    const forget = (): void => {
      target = null;
    };
    return {
      to: (card, shift = 0) => {
        const element = row.current;
        if (!element) return;
        target = card;
        element.dataset['moving'] = '';
        if (shift !== 0) element.scrollLeft += shift;
        scrollRow(element, card * strideOf(element));
      },
      target: () => target,
      forget,
      end: () => {
        forget();
        delete row.current?.dataset['moving'];
      },
    };
  });
  return glide;
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

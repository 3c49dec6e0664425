import { useLayoutEffect, useRef } from 'react';
import { cx } from '../../../lib/cx.js';

/** Type sizes in px that a poster steps down through; the last one scrolls when it is still too much. */
const STEPS = { wide: [96, 64, 44, 24], narrow: [52, 44, 32, 24] } as const;
const NARROW_BELOW_PX = 480;
/** From here down display type is set with less tight letters. */
const SMALL_PX = 32;

interface PosterProps {
  readonly text: string;
  readonly muted?: boolean | undefined;
  readonly className?: string;
}

/** Words set as large as their box allows; the box must have a height. */
export function Poster({ text, muted = false, className }: PosterProps): React.ReactNode {
  const boxRef = useRef<HTMLDivElement>(null);
  const textRef = useRef<HTMLHeadingElement>(null);

  useLayoutEffect(() => {
    const box = boxRef.current;
    const words = textRef.current;
    if (!box || !words) return undefined;
    const fit = (): void => fitType(box, words);
    // Called once at the start of observing, too.
    const observer = new ResizeObserver(fit);
    fit();
    observer.observe(box);
    let current = true;
    void document.fonts.ready.then(() => current && fit());
    return () => {
      current = false;
      observer.disconnect();
    };
  }, [text]);

  return (
    <div ref={boxRef} className={cx('min-h-0 flex-1 overflow-y-auto overflow-x-hidden', className)}>
      <h1
        ref={textRef}
        className={cx('display text-balance whitespace-pre-line pb-[0.12em]', muted ? 'text-ink-3' : 'text-ink')}
      >
        {text}
      </h1>
    </div>
  );
}

function fitType(box: HTMLElement, words: HTMLElement): void {
  const steps = box.clientWidth < NARROW_BELOW_PX ? STEPS.narrow : STEPS.wide;
  words.style.overflowWrap = 'normal';
  const fits = (size: number): boolean => {
    words.style.fontSize = `${size}px`;
    words.style.letterSpacing = size <= SMALL_PX ? 'var(--display-track-sm)' : '';
    words.style.lineHeight = size <= SMALL_PX ? '1.15' : '';
    return words.scrollHeight <= box.clientHeight && words.scrollWidth <= box.clientWidth;
  };
  const fitted = steps.some(fits);
  if (!fitted) words.style.overflowWrap = 'anywhere';
  // What scrolls must be reachable by keyboard.
  if (!fitted && words.scrollHeight > box.clientHeight) box.tabIndex = 0;
  else box.removeAttribute('tabindex');
}

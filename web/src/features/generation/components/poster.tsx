import { useLayoutEffect, useRef } from 'react';
import { cx } from '../../../lib/cx.js';
import { textAttributes } from '../../../lib/text-language.js';

/** Type sizes in px, largest first. A text that does not fit in the last one scrolls. */
const STEPS = { wide: [96, 64, 44, 24], narrow: [52, 44, 32, 24] } as const;
const NARROW_BELOW_PX = 480;
/** Up to this size, display type has normal letter spacing. */
const SMALL_PX = 32;

interface PosterProps {
  readonly text: string;
  readonly muted?: boolean | undefined;
  readonly className?: string;
}

/** A text in the largest size that fits into its box. The box must have a height. */
export function Poster({ text, muted = false, className }: PosterProps): React.ReactNode {
  const boxRef = useRef<HTMLDivElement>(null);
  const textRef = useRef<HTMLHeadingElement>(null);

  useLayoutEffect(() => {
    const box = boxRef.current;
    const element = textRef.current;
    if (!box || !element) return undefined;
    const fit = (): void => fitType(box, element);
    const observer = new ResizeObserver(fit);
    fit();
    observer.observe(box);
    // A font that loads later changes the size of the text only.
    observer.observe(element);
    return () => observer.disconnect();
  }, [text]);

  return (
    <div ref={boxRef} className={cx('min-h-14 grow basis-0 overflow-hidden', className)}>
      <h1
        ref={textRef}
        {...textAttributes(text)}
        className={cx('display text-balance whitespace-pre-line pb-[0.12em]', muted ? 'text-ink-3' : 'text-ink')}
      >
        {text}
      </h1>
    </div>
  );
}

function fitType(box: HTMLElement, text: HTMLElement): void {
  const steps = box.clientWidth < NARROW_BELOW_PX ? STEPS.narrow : STEPS.wide;
  text.style.overflowWrap = 'normal';
  const fits = (size: number): boolean => {
    text.style.fontSize = `${size}px`;
    text.style.letterSpacing = size <= SMALL_PX ? 'var(--display-track-sm)' : '';
    text.style.lineHeight = size <= SMALL_PX ? 'max(1.15, var(--display-lead-sm))' : '';
    return text.scrollHeight <= box.clientHeight && text.scrollWidth <= box.clientWidth;
  };
  const fitted = steps.some(fits);
  if (!fitted) text.style.overflowWrap = 'anywhere';
  const scrolls = !fitted && text.scrollHeight > box.clientHeight;
  box.style.overflowY = scrolls ? 'auto' : '';
  // Scrollable content must be reachable by keyboard.
  if (scrolls) box.tabIndex = 0;
  else box.removeAttribute('tabindex');
}

import { cx } from '../lib/cx.js';
import { textAttributes } from '../lib/text-language.js';

/** The grid of square pictures: four, three or two columns, one on the smallest phones. */
export const ART_GRID = 'grid grid-cols-1 gap-(--tile-gap) xs:grid-cols-2 md:grid-cols-3 lg:grid-cols-4';

/** Container of {@link ART_BLOCK}s, stacked. */
export const ART_BLOCKS = '@container flex flex-col gap-(--tile-gap)';

/** Some rows of the grid. Reserves the height of its `--pictures` while it is empty. */
export const ART_BLOCK =
  '[--columns:1] xs:[--columns:2] md:[--columns:3] lg:[--columns:4] h-[calc(round(up,var(--pictures)/var(--columns))*((100cqi+var(--tile-gap))/var(--columns))-var(--tile-gap))]';

/** Displayed width of a picture of the grid, for `sizes`. */
export const ART_SIZES =
  '(min-width: 1440px) 338px, (min-width: 1024px) 24vw, (min-width: 800px) 31vw, (min-width: 360px) 48vw, 96vw';

/** A link around a square of the grid. */
export const ART_TILE = 'group relative block aspect-square overflow-hidden rounded-tile bg-surface';

/** The prompt over the foot of a picture, on hover and focus. Screen readers get it as the picture's description. */
export function PromptVeil({ prompt }: { prompt: string }): React.ReactNode {
  return (
    <span
      aria-hidden
      className="pointer-events-none absolute inset-x-0 bottom-0 bg-[linear-gradient(to_top,rgb(8_8_7/.88)_35%,transparent)] px-3.5 pb-3.5 pt-12 text-14 text-[#fff] opacity-0 transition-opacity duration-[var(--dur-2)] group-hover:opacity-100 group-focus-visible:opacity-100"
    >
      <span {...textAttributes(prompt)} className="line-clamp-3 break-words">
        {prompt}
      </span>
    </span>
  );
}

interface RowFillerProps {
  /** Number of squares before it. */
  readonly count: number;
  readonly children: React.ReactNode;
}

/** Fills the last row when it holds a single square; absent at widths where the row holds more. */
export function RowFiller({ count, children }: RowFillerProps): React.ReactNode {
  const alone = (columns: number): boolean => count > columns && count % columns === 1;
  if (![2, 3, 4].some(alone)) return null;
  return (
    <li
      className={cx(
        'hidden',
        alone(2) && 'xs:max-md:block',
        alone(3) && 'md:max-lg:col-span-2 md:max-lg:block',
        alone(4) && 'lg:col-span-3 lg:block',
      )}
    >
      {children}
    </li>
  );
}

/** A link in a {@link RowFiller}. */
export const ROW_FILLER_LINK =
  'flex h-full min-h-24 flex-col items-start justify-end gap-1 rounded-tile border border-dashed border-line-strong p-4 text-ink hover:bg-hover sm:p-6';

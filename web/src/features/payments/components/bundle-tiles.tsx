import type { ImageInfo } from '../../../../../src/contract/media.js';
import { Picture } from '../../../components/picture.js';
import { cx } from '../../../lib/cx.js';
import { arrangement } from '../tiles.js';

/** More are not counted by eye, and only cost. */
const MOST = 100;

/** Works of each creator, as decoration. */
export type Works = readonly (readonly ImageInfo[])[];

interface BundleTilesProps {
  readonly works: Works;
  /** How many images are bought. */
  readonly count: number;
  /** Moves the pictures on, so that neighbouring bundles do not show the same row. */
  readonly offset?: number;
  readonly className?: string;
}

/** One small picture per image that a bundle buys, ten a row; decoration, the number stands beside it. */
export function BundleTiles({ works, count, offset = 0, className }: BundleTilesProps): React.ReactNode {
  const shown = Math.min(count, MOST);
  const pictures = arrangement<ImageInfo>(works, shown, offset);
  return (
    <div aria-hidden className={cx('grid grid-cols-10 gap-1', className)}>
      {Array.from({ length: shown }, (_, index) => {
        const picture = pictures[index];
        return picture ? (
          <Picture key={index} image={picture} alt="" sizes="36px" ratio="1 / 1" className="rounded-[4px]" />
        ) : (
          <span key={index} className="aspect-square rounded-[4px] bg-hover" />
        );
      })}
    </div>
  );
}

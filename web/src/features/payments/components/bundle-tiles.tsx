import type { ImageInfo } from '../../../../../src/contract/media.js';
import { Picture } from '../../../components/picture.js';
import { cx } from '../../../lib/cx.js';
import { arrangement } from '../tiles.js';

/** Upper limit; more pictures add nothing. */
const MAX_PICTURES = 100;

/** Works of each creator, as decoration. */
export type Works = readonly (readonly ImageInfo[])[];

interface BundleTilesProps {
  readonly works: Works;
  /** Number of images that the bundle pays for. */
  readonly count: number;
  /** Shifts the pictures, so that neighbouring bundles show different ones. */
  readonly offset?: number;
  readonly className?: string;
}

/** One small picture per image that a bundle pays for, ten a row. Decoration: the number is shown next to it. */
export function BundleTiles({ works, count, offset = 0, className }: BundleTilesProps): React.ReactNode {
  const shown = Math.min(count, MAX_PICTURES);
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

import { ImageOff } from 'lucide-react';
import type { AdminGeneration } from '../../../../../src/contract/admin-gallery.js';
import { Picture } from '../../../components/picture.js';
import { cx } from '../../../lib/cx.js';

interface ThumbnailProps {
  readonly item: AdminGeneration;
  readonly sizes: string;
  readonly className?: string;
  /** Opens the details. */
  readonly onOpen: () => void;
}

/** A square picture that opens its details; an icon in place of a picture that does not exist. */
export function Thumbnail({ item, sizes, className, onOpen }: ThumbnailProps): React.ReactNode {
  const missing = (
    <span className="absolute inset-0 flex items-center justify-center bg-hover text-ink-3">
      <ImageOff aria-hidden className="size-1/4 max-h-8 min-h-5" />
    </span>
  );
  return (
    <button
      type="button"
      aria-label={`Details of “${item.prompt}”`}
      onClick={onOpen}
      className={cx('relative block aspect-square shrink-0 overflow-hidden rounded-tile bg-hover', className)}
    >
      {item.image ? (
        <Picture image={item.image} alt="" sizes={sizes} ratio="1 / 1" fallback={missing} />
      ) : item.image_url ? (
        <img src={item.image_url} alt="" loading="lazy" draggable={false} className="size-full object-cover" />
      ) : (
        missing
      )}
    </button>
  );
}

import { EyeOff } from 'lucide-react';
import type { ImageInfo } from '../../../../../src/contract/media.js';
import { Picture } from '../../../components/picture.js';
import { cx } from '../../../lib/cx.js';

interface VeiledPictureProps {
  /** Null for a prompt that was refused, and for a deleted image. */
  readonly image: ImageInfo | null;
  readonly veiled: boolean;
  readonly alt: string;
  readonly sizes: string;
  readonly className: string;
}

/** A picture that can be veiled: blurred beyond recognition. */
export function VeiledPicture({ image, veiled, alt, sizes, className }: VeiledPictureProps): React.ReactNode {
  return (
    <span className={cx('relative block shrink-0 overflow-hidden bg-hover', className)}>
      {image && (
        <Picture
          image={image}
          alt={veiled ? '' : alt}
          sizes={sizes}
          ratio="1 / 1"
          className={cx('size-full', veiled && 'scale-125 blur-[9px] brightness-70 grayscale-60')}
        />
      )}
      {(veiled || !image) && (
        <EyeOff aria-hidden className={cx('absolute inset-0 m-auto size-4', image ? 'text-[#fff]' : 'text-ink-2')} />
      )}
    </span>
  );
}

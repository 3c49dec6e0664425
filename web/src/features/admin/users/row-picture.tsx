import { ImageOff } from 'lucide-react';
import type { ImageInfo } from '../../../../../src/contract/media.js';
import { Picture } from '../../../components/picture.js';

/** The picture of a row; an icon in place of a picture that does not exist. */
export function RowPicture({ image }: { readonly image: ImageInfo | null }): React.ReactNode {
  return (
    <span className="relative block size-12 shrink-0 overflow-hidden rounded-[7px] bg-hover">
      {image ? (
        <Picture image={image} alt="" sizes="48px" ratio="1 / 1" className="size-full" />
      ) : (
        <ImageOff aria-hidden className="absolute inset-0 m-auto size-4 text-ink-2" />
      )}
    </span>
  );
}

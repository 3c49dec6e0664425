import { Download, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ImageInfo } from '../../../../src/platform/media/wire.js';
import { IconButton } from '../../components/ui/button.js';

interface LightboxProps {
  readonly image: ImageInfo;
  /** What is to be seen. */
  readonly alt: string;
  readonly onDownload: () => void;
  /** The button that opens it; it gets the focus back. */
  readonly children: React.ReactElement;
}

/** The picture over the whole screen. Escape, the cross and a click beside the picture close it. */
export function Lightbox({ image, alt, onDownload, children }: LightboxProps): React.ReactNode {
  const avif = image.sources.filter((source) => source.type === 'image/avif');
  const webp = image.sources.filter((source) => source.type === 'image/webp');
  const srcSet = (sources: typeof avif): string => sources.map(({ url, width }) => `${url} ${width}w`).join(', ');
  return (
    <Dialog.Root>
      <Dialog.Trigger asChild>{children}</Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fade-in fixed inset-0 z-(--z-dialog) bg-bg" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fade-in fixed inset-0 z-(--z-dialog) flex items-center justify-center outline-none"
        >
          <Dialog.Title className="sr-only">{alt}</Dialog.Title>
          <Dialog.Close asChild>
            <button type="button" tabIndex={-1} aria-hidden className="absolute inset-0 cursor-zoom-out" />
          </Dialog.Close>
          <picture className="contents">
            {avif.length > 0 && <source type="image/avif" srcSet={srcSet(avif)} sizes="100vmin" />}
            {webp.length > 0 && <source type="image/webp" srcSet={srcSet(webp)} sizes="100vmin" />}
            <img
              src={image.url}
              alt={alt}
              width={image.width}
              height={image.height}
              className="pointer-events-none relative size-full object-contain sm:p-6"
            />
          </picture>
          <div className="absolute right-3 top-3 flex gap-2 rounded-ctl bg-bg/85 p-1 sm:right-5 sm:top-5">
            <IconButton label="Download" onClick={onDownload}>
              <Download aria-hidden className="size-5" />
            </IconButton>
            <Dialog.Close asChild>
              <IconButton label="Close">
                <X aria-hidden className="size-5" />
              </IconButton>
            </Dialog.Close>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

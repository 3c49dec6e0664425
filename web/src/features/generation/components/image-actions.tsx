import { Download, Link as LinkIcon, Share2, Shuffle } from 'lucide-react';
import { Button, buttonClass } from '../../../components/button.js';
import { copyLink } from '../../../components/copy.js';
import { XIcon } from '../../../components/icons.js';
import { useMedia } from '../../../lib/use-media.js';
import type { FileFormat } from '../use-download.js';
import { canShare, shareLink } from '../share-link.js';

interface ImageActionsProps {
  /** Absolute address of the generation's page. */
  readonly url: string;
  readonly creatorName: string;
  readonly downloading: boolean;
  /** Saves the image as it is stored, or in another format. */
  readonly onDownload: (format?: FileFormat) => void;
  /** Starts a remix of the prompt; absent when the creator is archived. */
  readonly onRemix?: (() => void) | undefined;
}

const FORMATS: readonly (readonly [FileFormat, string])[] = [
  ['png', 'PNG'],
  ['jpg', 'JPEG'],
];

/** Actions on a finished image. */
export function ImageActions({
  url,
  creatorName,
  downloading,
  onDownload,
  onRemix,
}: ImageActionsProps): React.ReactNode {
  const title = `Fan art in ${creatorName}’s style`;
  /** Phones have a share sheet; the link can be copied there too. */
  const sheet = useMedia('(pointer: coarse)') && canShare();
  const intent = `https://x.com/intent/post?${new URLSearchParams({ text: title, url })}`;
  return (
    <>
      <div className="grid grid-cols-2 gap-2 @2xl:grid-cols-4">
        <Button
          kind="solid"
          size={48}
          className={onRemix ? '' : 'col-span-2'}
          busy={downloading}
          busyLabel="Downloading..."
          onClick={() => onDownload()}
        >
          <Download aria-hidden className="size-[18px]" />
          Download
        </Button>
        {onRemix && (
          <Button size={48} onClick={onRemix}>
            <Shuffle aria-hidden className="size-[18px]" />
            Remix
          </Button>
        )}
        <a href={intent} target="_blank" rel="noopener noreferrer" className={buttonClass({ size: 48 })}>
          <XIcon className="size-[18px]" />
          Post
          <span className="sr-only"> (opens in a new tab)</span>
        </a>
        <Button size={48} onClick={() => void (sheet ? shareLink({ title, url }) : copyLink(url))}>
          {sheet ? <Share2 aria-hidden className="size-[18px]" /> : <LinkIcon aria-hidden className="size-[18px]" />}
          <span>{sheet ? 'Share' : 'Copy link'}</span>
        </Button>
      </div>
      <p className="mt-3 text-14 text-ink-2 noscript:hidden">
        Download as{' '}
        {FORMATS.map(([format, name], index) => (
          <span key={format}>
            <span>{index > 0 && ' or '}</span>
            <button
              type="button"
              aria-label={`${name} file`}
              aria-disabled={downloading}
              className="link min-h-6 px-0.5"
              onClick={() => onDownload(format)}
            >
              {name}
            </button>
          </span>
        ))}
        {sheet && (
          <span>
            {' · '}
            <button type="button" className="link min-h-6 px-0.5" onClick={() => void copyLink(url)}>
              Copy link
            </button>
          </span>
        )}
      </p>
    </>
  );
}

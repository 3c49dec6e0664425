import { Download, Link as LinkIcon, Shuffle } from 'lucide-react';
import { Button, buttonClass } from '../../../components/button.js';
import { copyLink } from '../../../components/copy-link.js';
import { XIcon } from '../../../components/icons.js';

interface ImageActionsProps {
  /** Absolute address of the generation's page. */
  readonly url: string;
  readonly creatorName: string;
  readonly downloading: boolean;
  readonly onDownload: () => void;
  /** Starts a remix of the prompt; absent when the creator is archived. */
  readonly onRemix?: (() => void) | undefined;
}

/** Actions on a finished image. */
export function ImageActions({
  url,
  creatorName,
  downloading,
  onDownload,
  onRemix,
}: ImageActionsProps): React.ReactNode {
  const intent = `https://x.com/intent/post?${new URLSearchParams({ text: `Fan art in ${creatorName}’s style`, url })}`;
  return (
    <div className="grid grid-cols-2 gap-2">
      <Button
        kind="solid"
        size={48}
        className={onRemix ? '' : 'col-span-2'}
        busy={downloading}
        busyLabel="Downloading..."
        onClick={onDownload}
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
      <Button size={48} onClick={() => void copyLink(url)}>
        <LinkIcon aria-hidden className="size-[18px]" />
        Copy link
      </Button>
    </div>
  );
}

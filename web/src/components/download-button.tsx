import { Download } from 'lucide-react';
import type { DownloadedFile } from '../lib/download.js';
import { useDownload } from '../lib/use-download.js';
import { Button, type ButtonProps } from './button.js';

interface DownloadButtonProps extends Omit<ButtonProps, 'busy' | 'onClick'> {
  readonly load: (signal: AbortSignal) => Promise<DownloadedFile>;
}

/** Downloads a file, and says why it could not. Leaving the page ends the download. */
export function DownloadButton({
  load,
  children,
  busyLabel = 'Downloading...',
  ...button
}: DownloadButtonProps): React.ReactNode {
  const { busy, failure, start } = useDownload(load);
  return (
    <>
      <Button {...button} busy={busy} busyLabel={busyLabel} onClick={() => void start()}>
        <Download aria-hidden className="size-4" />
        <span>{children}</span>
      </Button>
      <p role="alert" className="w-full text-14 text-bad empty:hidden">
        {failure !== null && `The file could not be downloaded. ${failure}`}
      </p>
    </>
  );
}

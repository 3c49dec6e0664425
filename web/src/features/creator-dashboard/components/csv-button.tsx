import { Download } from 'lucide-react';
import { Button } from '../../../components/button.js';
import { useDownload } from '../../../lib/use-download.js';
import { downloadEarnings } from '../api/download-earnings.js';

interface CsvButtonProps {
  readonly creatorId: string;
  /** YYYY-MM; null for all months. */
  readonly month: string | null;
  readonly children: React.ReactNode;
}

/** Downloads earnings as CSV. Leaving the page ends the download. */
export function CsvButton({ creatorId, month, children }: CsvButtonProps): React.ReactNode {
  const { busy, failure, start } = useDownload((signal) => downloadEarnings(creatorId, month, signal));
  return (
    <>
      <Button kind="quiet" busy={busy} busyLabel="Downloading..." onClick={() => void start()}>
        <Download aria-hidden className="size-[18px]" />
        <span>{children}</span>
      </Button>
      <p role="alert" className="text-14 text-bad empty:hidden">
        {failure !== null && `The file could not be downloaded. ${failure}`}
      </p>
    </>
  );
}

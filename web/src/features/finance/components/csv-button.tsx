import { Download } from 'lucide-react';
import { Button } from '../../../components/button.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { downloadExport } from '../../../lib/download-export.js';
import { useDownload } from '../../../lib/use-download.js';

interface CsvButtonProps {
  /** `/exports/trial-balance.csv?at=2026-11-22T09:40:00.000Z`; null while there is nothing to download. */
  readonly address: string | null;
  readonly className?: string;
}

/** Downloads what the page shows as CSV; so does the key E. Leaving the page ends the download. */
export function CsvButton({ address, className = '' }: CsvButtonProps): React.ReactNode {
  const name = `fanvas-${/[\w-]+\.csv/.exec(address ?? '')?.[0] ?? 'export.csv'}`;
  const { busy, failure, start } = useDownload((signal) => downloadExport(address ?? '', name, signal));
  const download = (): void => {
    if (address !== null) void start();
  };
  useKeys([{ keys: ['E'], label: 'CSV', run: download }]);
  return (
    <>
      <Button className={className} busy={busy} busyLabel="Saving..." disabled={address === null} onClick={download}>
        <Download aria-hidden className="size-4" />
        CSV
      </Button>
      <p role="alert" className="w-full text-14 text-bad empty:hidden">
        {failure !== null && `The file could not be downloaded. ${failure}`}
      </p>
    </>
  );
}

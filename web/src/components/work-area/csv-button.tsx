import { useRef } from 'react';
import { downloadExport } from '../../lib/download-export.js';
import { DownloadButton } from '../download-button.js';
import { useKeys } from './keys.js';

interface CsvButtonProps {
  /** `/exports/trial-balance.csv?at=2026-11-22T09:40:00.000Z`; null while there is nothing to download. */
  readonly address: string | null;
  readonly className?: string;
  readonly onDone?: () => void;
}

/** Downloads the rows of the page as CSV; so does the key E. */
export function CsvButton({ address, className, onDone }: CsvButtonProps): React.ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  const name = `fanvas-${/[\w-]+\.csv/.exec(address ?? '')?.[0] ?? 'export.csv'}`;
  useKeys([{ keys: ['E'], label: 'CSV', run: () => button.current?.click() }]);
  return (
    <DownloadButton
      ref={button}
      className={className}
      disabled={address === null}
      busyLabel="Saving..."
      load={async (signal) => {
        const file = await downloadExport(address ?? '', name, signal);
        onDone?.();
        return file;
      }}
    >
      CSV
    </DownloadButton>
  );
}

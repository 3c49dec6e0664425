import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../components/button.js';
import { ApiError } from '../../../lib/api.js';
import { saveFile } from '../../../lib/download.js';
import { downloadEarnings } from '../api/download-earnings.js';

interface CsvButtonProps {
  readonly creatorId: string;
  /** YYYY-MM; null for all months. */
  readonly month: string | null;
  readonly children: React.ReactNode;
}

/** Downloads earnings as CSV. Leaving the page ends the download. */
export function CsvButton({ creatorId, month, children }: CsvButtonProps): React.ReactNode {
  const running = useRef<AbortController | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const download = async (): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    setBusy(true);
    setFailure(null);
    try {
      saveFile(await downloadEarnings(creatorId, month, controller.signal));
    } catch (error) {
      if (error instanceof ApiError) setFailure(error.message);
      else if (!controller.signal.aborted) throw error;
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <Button kind="quiet" busy={busy} busyLabel="Downloading..." onClick={() => void download()}>
        <Download aria-hidden className="size-[18px]" />
        {children}
      </Button>
      <p role="alert" className="text-14 text-bad empty:hidden">
        {failure !== null && `The file could not be downloaded. ${failure}`}
      </p>
    </>
  );
}

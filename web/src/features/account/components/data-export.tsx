import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../components/button.js';
import { Problem } from '../../../components/states.js';
import { ApiError } from '../../../lib/api.js';
import { saveFile } from '../../../lib/download.js';
import { downloadMyData } from '../api/download-my-data.js';
import { problemOf } from '../../../lib/problem-of.js';

type Progress =
  | { readonly step: 'idle' }
  | { readonly step: 'downloading'; readonly bytes: number }
  | { readonly step: 'saved'; readonly bytes: number }
  | { readonly step: 'failed'; readonly message: string };

/** Downloads the person's data as a file. Leaving the page ends the download. */
export function DataExport(): React.ReactNode {
  const [progress, setProgress] = useState<Progress>({ step: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const download = async (): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    setProgress({ step: 'downloading', bytes: 0 });
    try {
      const file = await downloadMyData((bytes) => setProgress({ step: 'downloading', bytes }), controller.signal);
      saveFile(file);
      setProgress({ step: 'saved', bytes: file.blob.size });
    } catch (error) {
      if (controller.signal.aborted) setProgress({ step: 'idle' });
      else if (error instanceof ApiError) setProgress({ step: 'failed', message: problemOf(error) });
      else throw error;
    } finally {
      running.current = null;
    }
  };

  const busy = progress.step === 'downloading';
  return (
    <>
      <div className="mt-5 flex flex-wrap gap-2">
        <Button size={48} busy={busy} busyLabel="Downloading..." onClick={() => void download()}>
          <Download aria-hidden className="size-[18px]" />
          <span>{progress.step === 'failed' ? 'Try again' : 'Download my data'}</span>
        </Button>
        {busy && (
          <Button size={48} kind="quiet" onClick={() => running.current?.abort()}>
            Cancel
          </Button>
        )}
      </div>
      {busy && <p className="mt-3 text-14 tabular-nums text-ink-2">{megabytes(progress.bytes)} received</p>}
      <p role="status" className="mt-3 text-14 tabular-nums text-ink-2 empty:hidden">
        {progress.step === 'saved' && `Done: ${megabytes(progress.bytes)} saved. Look in your downloads.`}
      </p>
      <Problem>{progress.step === 'failed' && `Your data could not be downloaded. ${progress.message}`}</Problem>
    </>
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

import { useEffect, useRef, useState } from 'react';
import { ApiError } from './api.js';
import { saveFile, type DownloadedFile } from './download.js';
import { problemOf } from './problem-of.js';

interface Download {
  readonly busy: boolean;
  /** The server's reason of the last failure; null without one. */
  readonly failure: string | null;
  /** Does nothing while a download runs. */
  readonly start: () => Promise<void>;
}

/** A file that the page downloads and saves. Leaving the page ends the download. */
export function useDownload(load: (signal: AbortSignal) => Promise<DownloadedFile>): Download {
  const running = useRef<AbortController | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const start = async (): Promise<void> => {
    if (busy) return;
    const controller = new AbortController();
    running.current = controller;
    setBusy(true);
    setFailure(null);
    try {
      saveFile(await load(controller.signal));
    } catch (error) {
      if (error instanceof ApiError) setFailure(problemOf(error));
      else if (!controller.signal.aborted) throw error;
    } finally {
      setBusy(false);
    }
  };
  return { busy, failure, start };
}

import { useState } from 'react';
import type { GenerationView } from '../../../../src/generation/wire.js';
import { toast } from '../../components/ui/toast.js';
import { DOWNLOAD_FAILED_TEXT } from '../../lib/generation-view.js';

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/png': 'png',
  'image/jpeg': 'jpg',
};

/** Saves the finished image as a file, and says so when that fails. */
export function useDownload(row: GenerationView | null): {
  readonly downloading: boolean;
  readonly download: () => void;
} {
  const [downloading, setDownloading] = useState(false);

  const download = async (): Promise<void> => {
    if (!row?.image_url || downloading) return;
    setDownloading(true);
    try {
      // Fetched first: a plain download link would leave the page when the image cannot be had.
      const response = await fetch(row.image_url);
      if (!response.ok) throw new TypeError(`The image could not be fetched: ${response.status}`);
      save(await response.blob(), `${row.creator_username}-${row.id.slice(-12)}`);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      toast({ kind: 'error', title: DOWNLOAD_FAILED_TEXT });
    } finally {
      setDownloading(false);
    }
  };

  return { downloading, download: () => void download() };
}

function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = `${name}.${EXTENSIONS[blob.type] ?? 'webp'}`;
  link.click();
  // By then the browser has taken the content over.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

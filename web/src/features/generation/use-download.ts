import { useState } from 'react';
import { imageFileUrl } from '../../../../src/contract/media.js';
import { toast } from '../../components/toast.js';
import { saveFile } from '../../lib/download.js';
import { DOWNLOAD_FAILED_TEXT } from './generation-view.js';
import { sanitiseFilename } from '../../lib/sanitise.js';

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/png': 'png',
  'image/jpeg': 'jpg',
};

/** A format besides the stored one. */
export type FileFormat = 'png' | 'jpg';

/** A finished image. */
export interface Downloadable {
  readonly id: string;
  readonly url: string;
  readonly prompt: string;
  /** Absent: the file as it is stored. */
  readonly format?: FileFormat | undefined;
}

/** Saves finished images as files; shows a toast when that fails. */
export function useDownload(username: string): {
  readonly downloading: boolean;
  readonly download: (image: Downloadable) => void;
} {
  const [downloading, setDownloading] = useState(false);

  const download = async ({ id, url, prompt, format }: Downloadable): Promise<void> => {
    if (downloading) return;
    setDownloading(true);
    try {
      // Fetched first, because a plain download link leaves the page when the request fails.
      const response = await fetch(format ? imageFileUrl({ url }, format) : url);
      if (!response.ok) throw new TypeError(`The image could not be fetched: ${response.status}`);
      const blob = await response.blob();
      const name = [username, ...firstWords(prompt), id.slice(-6)].join('-');
      saveFile({ blob, name: sanitiseFilename(`${name}.${EXTENSIONS[blob.type] ?? 'webp'}`) });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      toast({ kind: 'error', title: DOWNLOAD_FAILED_TEXT });
    } finally {
      setDownloading(false);
    }
  };

  return { downloading, download: (image) => void download(image) };
}

/** Names have at most so many characters of the prompt. */
const WORDS_LENGTH = 40;

/** The words at the beginning of a prompt, in the letters of a safe file name. */
function firstWords(prompt: string): string[] {
  const words =
    prompt
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.filter((_, index) => words.slice(0, index + 1).join('-').length <= WORDS_LENGTH);
}

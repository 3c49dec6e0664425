import { toast } from './toast.js';

/** Copies a text to the clipboard and says so. Shows it in a field when the browser refuses, or has no clipboard. */
export async function copy(text: string, copied: string, failed: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ kind: 'success', title: copied });
  } catch (error) {
    // An insecure page has no clipboard.
    if (!(error instanceof DOMException) && !(error instanceof TypeError)) throw error;
    toast({ kind: 'error', title: failed, field: text });
  }
}

export const copyLink = (address: string): Promise<void> =>
  copy(address, 'Link copied to clipboard!', 'The link could not be copied.');

/** @param name of the text, as the beginning of a sentence: `Generation ID` */
export const copyText = (name: string, text: string): Promise<void> =>
  copy(text, `${name} copied.`, `${name} could not be copied.`);

import { toast } from '../toast.js';

/**
 * Copies a text to the clipboard and says so. A text that cannot be copied is shown.
 * @param name of the text, as the beginning of a sentence: `Generation ID`
 */
export async function copyText(name: string, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ kind: 'success', title: `${name} copied.` });
  } catch (error) {
    // The browser refused, or the page is insecure and has no clipboard.
    if (!(error instanceof DOMException) && !(error instanceof TypeError)) throw error;
    toast({ kind: 'error', title: `${name} could not be copied.`, description: text });
  }
}

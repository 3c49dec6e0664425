import { toast } from './toast.js';

/** Copies an address to the clipboard and says so; shows it when the browser refuses. */
export async function copyLink(address: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(address);
    toast({ kind: 'success', title: 'Link copied to clipboard!' });
  } catch (error) {
    // The browser refused, or the page is insecure and has no clipboard: show the link, so that it can be copied.
    if (!(error instanceof DOMException) && !(error instanceof TypeError)) throw error;
    toast({ kind: 'error', title: 'The link could not be copied.', description: address });
  }
}

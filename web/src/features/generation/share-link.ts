import { copyLink } from '../../components/copy.js';

/** A page to share. */
interface SharedPage {
  readonly title: string;
  /** Absolute address. */
  readonly url: string;
}

/** Whether this browser has the system's share sheet. */
export function canShare(): boolean {
  return typeof (navigator as Partial<Navigator>).share === 'function';
}

/** Opens the system's share sheet. Copies the link when the browser refuses; does nothing when the person closes it. */
export async function shareLink(page: SharedPage): Promise<void> {
  try {
    await navigator.share(page);
  } catch (error) {
    if (!(error instanceof DOMException) && !(error instanceof TypeError)) throw error;
    if (error.name !== 'AbortError') await copyLink(page.url);
  }
}

import { PAGE_DATA_ID } from '../../../src/contract/page-data.js';
import { nextTask } from '../lib/next-task.js';
import { isChunkFailure, reloadOutdated } from './chunk-reload.js';
import { withChunkTimeout } from './chunk-timeout.js';
import { type EarlyInput, keepEarlyInput } from './early-input.js';
import { firstPictures } from './first-pictures.js';

/** Starts the code of the app on the element; on a drawn page it takes over the early input. */
type Start = (root: HTMLElement, early: EarlyInput | null) => Promise<void>;

/**
 * Starts the app on the page. It is small, so that the first pictures do not wait for code.
 * @param loadMain loads the code of the app
 * @throws what the code of the app throws while it starts
 */
export async function bootPage(loadMain: () => Promise<{ start: Start }>): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root element');
  const early = document.getElementById(PAGE_DATA_ID) ? keepEarlyInput(root) : null;
  if (early) await firstPictures(root);
  preloadCode();
  try {
    // In several tasks, so that the browser can react to the visitor in between.
    await withChunkTimeout(import('./react.js'));
    await nextTask();
    const { start } = await withChunkTimeout(loadMain());
    await nextTask();
    await start(root, early);
  } catch (error) {
    if (!isChunkFailure(error)) throw error;
    console.error('The code of the page could not be loaded', error);
    reloadOutdated();
    // A drawn page can be read without its code.
    if (!early) root.replaceChildren(loadingFailure());
  }
}

/**
 * Requests all code of the app at once. The server keeps these links of a drawn page for after its first pictures. One
 * is the disabled link to the styles, which says that they are there.
 */
function preloadCode(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[data-rel]')) link.rel = link.dataset['rel'] ?? '';
}

function loadingFailure(): HTMLElement {
  const message = document.createElement('p');
  message.role = 'alert';
  message.className = 'wrap py-16 text-18';
  message.textContent = 'This page could not be loaded. Check your connection, and reload it.';
  return message;
}

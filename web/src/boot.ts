import './styles/main.css';
import { isChunkFailure, reloadOutdated } from './app/chunk-reload.js';
import { withChunkTimeout } from './app/chunk-timeout.js';
import { keepEarlyInput } from './app/early-input.js';
import { firstPictures } from './app/first-pictures.js';
import { nextTask } from './lib/next-task.js';
import { PAGE_DATA_ID } from '../../src/contract/page-data.js';

/**
 * The entry of the web app. It is small, so that the first pictures do not wait for code.
 * @throws what the code of the app throws while it starts
 */
async function boot(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root element');
  const early = document.getElementById(PAGE_DATA_ID) ? keepEarlyInput(root) : null;
  if (early) await firstPictures(root);
  preloadCode();
  try {
    // In several tasks, so that the browser can react to the visitor in between.
    await withChunkTimeout(import('./app/react.js'));
    await nextTask();
    const { start } = await withChunkTimeout(import('./main.js'));
    await nextTask();
    await start(root, early);
  } catch (error) {
    if (!isChunkFailure(error)) throw error;
    console.error('The code of the page could not be loaded', error);
    reloadOutdated();
    // A drawn page can be read without its code.
    if (!early) root.append(loadingFailure());
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

// Not a top-level await: the code of the app imports parts of this chunk, and would wait until it has ended.
void boot();

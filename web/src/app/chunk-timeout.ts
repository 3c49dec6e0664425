import { trackCode } from '../lib/arriving-code.js';

/** Longest wait for the code of a page, milliseconds (creator spec, section 9). Browsers have no limit of their own. */
const CHUNK_TIMEOUT_MS = 120_000;

/** Waits for the code of a page. @throws Error that `isChunkFailure` knows, after the time limit */
export async function withChunkTimeout<T>(chunk: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error('A dynamically imported module did not load within 120 seconds.')),
      CHUNK_TIMEOUT_MS,
    );
  });
  try {
    return await trackCode(Promise.race([chunk, timeout]));
  } finally {
    clearTimeout(timer);
  }
}

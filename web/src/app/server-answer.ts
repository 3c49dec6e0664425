const ASK_AGAIN_MS = 3_000;
/** A server that answers later than this is away. */
const PATIENCE_MS = 10_000;

/**
 * Asks until the server answers, or the signal ends.
 * @param onAway called when the first question got no answer
 * @returns whether the server was away
 */
export async function whenServerAnswers(signal: AbortSignal, onAway?: () => void): Promise<boolean> {
  for (let questions = 1; !signal.aborted; questions += 1) {
    if (await answers()) return questions > 1;
    if (questions === 1 && !signal.aborted) onAway?.();
    await pause(signal);
  }
  return false;
}

async function answers(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) })).ok;
  } catch {
    return false;
  }
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      window.removeEventListener('online', wake);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, ASK_AGAIN_MS);
    window.addEventListener('online', wake);
    signal.addEventListener('abort', wake);
  });
}

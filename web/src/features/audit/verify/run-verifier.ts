import { SaidError } from '../../../lib/problem-of.js';
import type { VerifierMessage, VerifyRequest, Verdict } from './verifier-messages.js';

/**
 * Verifies a file in a worker, so that the page stays responsive. The file does not leave the browser.
 * @throws Error when the worker could not be started or stopped unexpectedly; an abort is rethrown as it is
 */
export function runVerifier(
  request: VerifyRequest,
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<Verdict> {
  const worker = new Worker(new URL('./verifier.worker.ts', import.meta.url), { type: 'module' });
  return new Promise<Verdict>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    worker.onerror = () => reject(new SaidError('The verifier could not be started, or stopped.'));
    worker.onmessage = ({ data }: MessageEvent<VerifierMessage>) => {
      if (data.kind === 'progress') onProgress(data.done);
      else resolve(data.verdict);
    };
    worker.postMessage(request);
  }).finally(() => worker.terminate());
}

import { useBrowserValue } from './first-draw.js';
import { createListeners } from './listeners.js';

/**
 * Runs `work`. When it returns the server's demand for a new verification, the identity SDK opens its dialog, and runs
 * `work` once more after a success.
 * @throws VerificationCancelledError when the person closes the dialog
 */
export type WithVerification = (work: () => Promise<unknown>) => Promise<unknown>;

/** The person closed the dialog of the identity SDK without a verification. */
export class VerificationCancelledError extends Error {
  override readonly name = 'VerificationCancelledError';
}

let withVerification: WithVerification | null = null;
let verifying = false;
const { subscribe, notify } = createListeners();

/** Stores the function of the identity SDK. */
export function reportReverification(run: WithVerification | null): void {
  withVerification = run;
}

/** The function of the identity SDK; null until it has loaded. */
export function reverification(): WithVerification | null {
  return withVerification;
}

/** States whether the SDK's dialog is open. */
export function setVerifying(open: boolean): void {
  verifying = open;
  notify();
}

/** True while the dialog of the identity SDK is open. Our own dialogs then release the focus and the pointer. */
export function useVerifying(): boolean {
  return useBrowserValue(subscribe, () => verifying, false);
}

import { existsSync } from 'node:fs';
import { installPackages } from './chromium.mjs';
import { StepFailed } from './console.mjs';

/**
 * Installs Debian's HAProxy unless it is there.
 * @throws StepFailed where that is not possible
 */
export async function ensureHaproxy() {
  if (existsSync('/usr/sbin/haproxy') || (await installPackages('haproxy'))) return;
  throw new StepFailed('This needs HAProxy, and it could not be installed. As root: apt-get install haproxy');
}

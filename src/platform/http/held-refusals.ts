import { type FastifyInstance } from 'fastify';
import { type Clock } from '../clock.js';
import { networkOf } from './client-network.js';
import { NetworkCounts } from './network-counts.js';

/** Refusals that a network gets at once in a minute: more than honest people behind one address cause. */
const MOST_AT_ONCE = 20;

/** Time that each further refusal waits (milliseconds). Random, so that waiting ones do not end at the same moment. */
const HOLD_MS = { least: 1_000, most: 3_000 } as const;

/** Refusals that wait in all. Beyond it they are answered at once, so that they take no memory. */
const MOST_HELD = 2_000;

/**
 * Lets refused requests of a network that gets many of them wait before they are answered. A program that repeats what
 * is refused is then slow, and takes no time from others.
 * @param later runs the release of an answer later
 */
export function holdRefusals(
  server: FastifyInstance,
  clock: Pick<Clock, 'now'>,
  later: (release: () => void) => void = afterHold,
): void {
  const refusals = new NetworkCounts(MOST_AT_ONCE, clock);
  const pendingReleases = new Set<() => void>();
  let closing = false;
  server.addHook('onSend', (request, reply, payload, done) => {
    const network = networkOf(request.ip);
    const isRefusal = reply.statusCode >= 400 && reply.statusCode < 500;
    if (isRefusal && refusals.secondsToWait(network) > 0 && pendingReleases.size < MOST_HELD && !closing) {
      const release = (): void => {
        if (pendingReleases.delete(release)) done(null, payload);
      };
      pendingReleases.add(release);
      later(release);
      return;
    }
    if (isRefusal) refusals.count(network);
    done(null, payload);
  });
  server.addHook('preClose', (done) => {
    closing = true;
    for (const release of pendingReleases) release();
    done();
  });
}

function afterHold(release: () => void): void {
  setTimeout(release, HOLD_MS.least + Math.random() * (HOLD_MS.most - HOLD_MS.least));
}

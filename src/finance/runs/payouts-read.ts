import { DomainError } from '../../platform/domain-error.js';
import { type EventStore } from '../../platform/event-store/event-store.js';
import { type ProjectionRunner } from '../../platform/projections/projection-runner.js';
import { PAYOUT_STREAM_PREFIX } from '../payouts/events.js';
import { payoutsProjection } from '../reads/payouts-projection.js';

const WAIT_MS = 5_000;

/**
 * Waits until the rows of payouts contain every event that is stored now.
 * @throws DomainError unavailable after 5 seconds
 */
export async function untilPayoutsAreRead(eventStore: EventStore, projections: ProjectionRunner): Promise<void> {
  const last = await eventStore.lastPosition(PAYOUT_STREAM_PREFIX);
  const { name } = payoutsProjection;
  if (last === null || (await projections.waitFor(last, { name, timeoutMs: WAIT_MS }))) return;
  throw new DomainError('unavailable', 'The payouts are still being read. Please try again in a moment.');
}

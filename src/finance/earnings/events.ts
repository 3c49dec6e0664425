import { EVENT_VERSIONS } from '../../contract/event-versions.js';
import { createHash } from 'node:crypto';
import { eventReader } from '../../credits/index.js';
import { uuidFrom } from '../../platform/ids.js';

/** Prefix of the name of a stream of earnings. The creator's id follows it. */
export const EARNINGS_STREAM_PREFIX = 'creatorEarnings-';

/** Name of the stream with the earnings of a creator. */
export function earningsStream(creatorId: string): string {
  return EARNINGS_STREAM_PREFIX + creatorId;
}

/** `correction`: a share was taken back. `restoration`: a part of it was given back. */
export type EarningKind = 'earning' | 'correction' | 'restoration';

/** A share of a creator, as the books have it in account 2100. Names neither the fan nor the purchase nor the image. */
export type EarningPosted = {
  schemaVersion: 1;
  /** See {@link earningReference}. Business id: once. */
  reference: string;
  kind: EarningKind;
  /** US cents, positive when the creator gains. Never zero. */
  cents: number;
  /** When the share was earned, taken back or given back, ISO 8601 UTC. */
  earnedAt: string;
  /** The share counts as payable from this instant on, ISO 8601 UTC. */
  payableAt: string;
};

/** Every event of a creator's earnings, by type. */
export type EarningEvent = { type: 'EarningPosted'; data: EarningPosted };

/** Reads a stored event. See {@link eventReader}. */
export const readEarningEvent = eventReader<EarningEvent>(EVENT_VERSIONS.creatorEarnings);

/**
 * The reference of a share: the SHA-256, in hex, of the id of its event in the fan's account and its place among the
 * shares of this event (see `sharesOf`). Ids of events are random and creators never receive them, so a reference names
 * no fan. An auditor, who has the event, can compute it.
 */
export function earningReference(eventId: string, index: number): string {
  return createHash('sha256').update(`${eventId} ${index}`).digest('hex');
}

/** The id of an event. It follows from the reference, so the store itself refuses a second record of the same share. */
export function earningEventId({ type, data }: EarningEvent): string {
  return uuidFrom(`${type} ${data.reference}`);
}

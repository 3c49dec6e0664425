import { type EarningRow } from '../../revenue/index.js';
import { earningReference, type EarningEvent } from './events.js';

/** The columns of a posting of revenue that its record needs. */
export type SharePosting = Pick<EarningRow, 'creator_id' | 'kind' | 'creator_cents' | 'occurred_at' | 'payable_at'>;

/** A share of a creator, and its record. */
export interface PostedShare {
  readonly creatorId: string;
  readonly event: EarningEvent;
}

/**
 * The records of the shares that one event of an account makes.
 *
 * The place of a share, which is part of its reference, is its index in the order of the texts
 * `<creator id> <kind> <payableAt> <cents>`, by code units. So it depends on the shares alone, and shares with the same
 * text are interchangeable.
 * @param eventId id of the event in the fan's account
 * @param postings that revenue makes of it, in any order. One without a share of the creator has no record
 */
export function sharesOf(eventId: string, postings: readonly SharePosting[]): PostedShare[] {
  return postings
    .filter(({ creator_cents: cents }) => cents !== 0)
    .map(({ creator_id: creatorId, kind, creator_cents: cents, occurred_at: earned, payable_at: payable }) => {
      const payableAt = payable.toISOString();
      const text = `${creatorId} ${kind} ${payableAt} ${cents}`;
      return { creatorId, kind, cents, earnedAt: earned.toISOString(), payableAt, text };
    })
    .sort((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text)))
    .map(({ creatorId, kind, cents, earnedAt, payableAt }, index) => {
      const reference = earningReference(eventId, index);
      const data = { schemaVersion: 1 as const, reference, kind, cents, earnedAt, payableAt };
      return { creatorId, event: { type: 'EarningPosted', data } };
    });
}

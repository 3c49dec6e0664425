import { type BookEntryTable } from '../tables.js';
import { earningReference, type EarningEvent, type EarningKind } from './events.js';

/** The columns of a line of account 2100 that its record needs. */
export type ShareLine = Pick<BookEntryTable, 'creator_id' | 'reversal_id' | 'cents' | 'occurred_at' | 'payable_at'>;

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
 * @param lines of account 2100 that it makes, in any order
 */
export function sharesOf(eventId: string, lines: readonly ShareLine[]): PostedShare[] {
  return lines
    .map((line) => {
      const { creator_id: creatorId, payable_at: payable } = line;
      if (creatorId === null || payable === null) throw new Error('A share names no creator, or has no time.');
      const [kind, cents, payableAt] = [kindOf(line), 0 - line.cents, payable.toISOString()];
      const share = { creatorId, kind, cents, earnedAt: line.occurred_at.toISOString(), payableAt };
      return { ...share, text: `${creatorId} ${kind} ${payableAt} ${cents}` };
    })
    .sort((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text)))
    .map(({ creatorId, kind, cents, earnedAt, payableAt }, place) => {
      const reference = earningReference(eventId, place);
      const data = { schemaVersion: 1 as const, reference, kind, cents, earnedAt, payableAt };
      return { creatorId, event: { type: 'EarningPosted', data } };
    });
}

/** Only what a reversal changes has its id. Creators' shares are credits of the books, so a debit takes back. */
function kindOf({ reversal_id: reversal, cents }: ShareLine): EarningKind {
  if (reversal === null) return 'earning';
  return cents > 0 ? 'correction' : 'restoration';
}

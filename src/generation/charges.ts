import { type Kysely } from 'kysely';
import { type Charge, type Charges } from '../credits/index.js';
import { type GenerationRow, type GenerationTables } from './tables.js';

/** Rows read at once. */
const PAGE = 500;
/** A generation is at its end within 15 minutes and some tries; one that is not after this is stuck. Milliseconds. */
const STUCK_MS = 60 * 60 * 1000;

type ChargedGeneration = Pick<
  GenerationRow,
  'id' | 'creator_id' | 'cost' | 'status' | 'refunded' | 'credits_closed_at' | 'created_at'
>;

/** What each generation says of its credits, for the audit of the ledger. Reads a page at a time. */
export function chargesOf(db: Kysely<GenerationTables>): Charges {
  return {
    async *ofUser(userId) {
      let last = '00000000-0000-0000-0000-000000000000';
      for (;;) {
        const rows: ChargedGeneration[] = await db
          .selectFrom('generation')
          .select(['id', 'creator_id', 'cost', 'status', 'refunded', 'credits_closed_at', 'created_at'])
          .where('user_id', '=', userId)
          .where('id', '>', last)
          .orderBy('id')
          .limit(PAGE)
          .execute();
        if (rows.length > 0) yield rows.map(chargeOf);
        last = rows.at(-1)?.id ?? last;
        if (rows.length < PAGE) return;
      }
    },
    async *users() {
      let last = '';
      for (;;) {
        const rows = await db
          .selectFrom('generation')
          .select('user_id')
          .distinct()
          .where('user_id', '>', last)
          .orderBy('user_id')
          .limit(PAGE)
          .execute();
        if (rows.length > 0) yield rows.map(({ user_id: userId }) => userId);
        last = rows.at(-1)?.user_id ?? last;
        if (rows.length < PAGE) return;
      }
    },
  };
}

function chargeOf(row: ChargedGeneration): Charge {
  return { deductionId: row.id, creatorId: row.creator_id, amount: row.cost, state: stateOf(row) };
}

function stateOf({
  status,
  refunded,
  credits_closed_at: closedAt,
  created_at: createdAt,
}: ChargedGeneration): Charge['state'] {
  if (status === 'pending' || closedAt === null) return Date.now() - createdAt.getTime() > STUCK_MS ? 'stuck' : 'open';
  if (status === 'completed') return 'delivered';
  return refunded ? 'returned' : 'nothing';
}

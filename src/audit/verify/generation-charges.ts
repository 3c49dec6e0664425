import { type Charge, type Charges } from './charges.js';
import { sql, type Kysely } from 'kysely';
import { type GenerationRow, type GenerationTables } from '../../generation/tables.js';

/** Rows read at once. */
const PAGE = 500;
/** A generation is at its end within 15 minutes and some tries; one that is not after this is stuck. Milliseconds. */
const STUCK_MS = 60 * 60 * 1000;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

type ChargedGeneration = Pick<
  GenerationRow,
  'user_id' | 'id' | 'creator_id' | 'cost' | 'status' | 'refunded' | 'credits_closed_at' | 'created_at'
>;

/** What each generation says of its credits, for the audit of the ledger. Reads a page at a time. */
export function chargesOf(db: Kysely<GenerationTables>): Charges {
  return {
    async *ofUsers(users) {
      let waiting = users.map((userId) => ({ userId, after: FIRST_ID }));
      while (waiting.length > 0) {
        const rows = await pageOf(db, waiting);
        if (rows.length > 0) yield rows.map(chargeOf);
        // Of a user who came to the limit there may be more
        const lastOf = new Map(rows.map(({ user_id: userId, id }) => [userId, id]));
        const counts = new Map<string, number>();
        for (const { user_id: userId } of rows) counts.set(userId, (counts.get(userId) ?? 0) + 1);
        waiting = waiting
          .filter(({ userId }) => counts.get(userId) === PAGE)
          .map(({ userId }) => ({ userId, after: lastOf.get(userId) ?? FIRST_ID }));
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

/** Of each user the first so many generations behind the given id, in the order of ids. */
async function pageOf(
  db: Kysely<GenerationTables>,
  waiting: readonly { readonly userId: string; readonly after: string }[],
): Promise<ChargedGeneration[]> {
  const users = waiting.map(({ userId }) => userId);
  const after = waiting.map((each) => each.after);
  const { rows } = await sql<ChargedGeneration>`
    select found.* from unnest(${users}::text[], ${after}::uuid[]) as wanted (user_id, after)
    cross join lateral (
      select user_id, id, creator_id, cost, status, refunded, credits_closed_at, created_at from generation g
      where g.user_id = wanted.user_id and g.id > wanted.after order by g.id limit ${PAGE}
    ) as found order by found.user_id, found.id`.execute(db);
  return rows;
}

function chargeOf(row: ChargedGeneration): Charge {
  const { user_id: userId, id: deductionId, creator_id: creatorId, cost: amount, credits_closed_at: closedAt } = row;
  return { userId, deductionId, creatorId, amount, closedAt, state: stateOf(row) };
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

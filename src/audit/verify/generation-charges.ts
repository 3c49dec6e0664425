import { type Pool } from 'pg';
import { closedUntil, isClosed } from '../../credits/index.js';
import { type GenerationRow } from '../../generation/tables.js';
import { saltedHash } from '../../platform/acts/acts.js';
import { type FileStorage } from '../../platform/storage/file-storage.js';
import { type PictureSettings, openStorage } from '../../platform/storage/open-storage.js';
import { type AuditedRepair, type DeductionRecord } from './account-audit.js';

/** Rows read at once. */
const ROWS_PER_READ = 500;
/** Generations end within 15 minutes and some retries. Older open ones are stuck. Milliseconds. */
const STUCK_MS = 60 * 60 * 1000;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Behind every generation. */
const FIRST_PLACE = { at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/** Reads stored images. */
export type ImageFiles = Pick<FileStorage, 'get'>;

/** Opens the storage of images; null: they are not compared. @throws ConfigError when the bucket cannot be used */
export async function imagesOf(media: PictureSettings | null): Promise<ImageFiles | null> {
  return media && openStorage(media);
}

/** The credits of one generation, as its row states them. The ledger must agree. */
export interface Charge {
  readonly userId: string;
  /** The generation's id. */
  readonly deductionId: string;
  readonly creatorId: string;
  /** The user who is the creator; null when the creator has no identity, or no longer one. */
  readonly creatorUserId: string | null;
  readonly amount: number;
  /**
   * A free test of the creator, or a trial picture. It must have no deduction, and only the creator may make a test.
   */
  readonly isTest: boolean;
  /** For a trial picture of a model, whether the log has the act of the admin who drew it; null for all others. */
  readonly trialIsLogged: boolean | null;
  /**
   * - `delivered`: the deduction must be settled.
   * - `returned`: it must be refunded.
   * - `nothing`: the generation failed before the deduction. The id must be void, or so old that the ledger refuses it.
   * - `open`: the generation has not ended yet.
   * - `stuck`: it has been open for too long.
   */
  readonly state: 'delivered' | 'returned' | 'nothing' | 'open' | 'stuck';
  /** When its credits were settled or refunded, epoch milliseconds; null before. */
  readonly closedAt: number | null;
  /** The settlement has hashes of this. Null once it is erased. */
  readonly content: { readonly salt: string | null; readonly prompt: string; readonly file: string | null } | null;
}

/** Times are epoch milliseconds: `pg` needs longer to make a `Date` of a text, and there is a row for each image. */
type ChargedGeneration = Pick<
  GenerationRow,
  'user_id' | 'id' | 'creator_id' | 'cost' | 'status' | 'refunded' | 'is_test'
> & {
  readonly closed_ms: number | null;
  readonly created_ms: number;
  readonly creator_user_id: string | null;
  readonly trial_is_logged: boolean | null;
  readonly salt: string | null;
  /** Null without a salt. */
  readonly salted_prompt: string | null;
  readonly salted_file: string | null;
  readonly erased: boolean;
};

/** The prefix of `user_id` in trial pictures; the id of the creator follows. */
const TRIAL_OWNER = 'trial:';

/** The columns of a `ChargedGeneration`, of `generation g` and its creator. */
const CHARGED = `g.user_id, g.id, g.creator_id, g.cost, g.status, g.refunded, g.is_test, g.salt,
  (extract(epoch from g.credits_closed_at) * 1000)::float8 as closed_ms,
  (extract(epoch from g.created_at) * 1000)::float8 as created_ms,
  case when g.salt is not null then g.prompt end as salted_prompt,
  case when g.salt is not null then substr(g.image ->> 'url', ${'/media/'.length + 1}) end as salted_file,
  g.deleted_at is not null as erased, c.clerk_id as creator_user_id,
  case when g.user_id like '${TRIAL_OWNER}%' then exists (
    select from admin_act where subject_id = g.id::text and kind = 'model.trial_drawn') end as trial_is_logged`;
const CREATOR = 'left join creator c on c.id::text = g.creator_id';

/** The charges of a user before a generation are read next. */
interface Waiting {
  readonly userId: string;
  /** Its time, as Postgres writes it: a `Date` would lose its microseconds. */
  readonly at: string;
  readonly id: string;
}

/**
 * All charges of some users, a page at a time.
 * @param now decides which ones are stuck
 * @param limit charges of a user in a page
 */
export async function* chargePages(
  pool: Pool,
  users: readonly string[],
  now: () => Date,
  limit = ROWS_PER_READ,
): AsyncGenerator<Charge[]> {
  let waiting: readonly Waiting[] = users.map((userId) => ({ userId, ...FIRST_PLACE }));
  while (waiting.length > 0) {
    const rows = await readPage(pool, waiting, limit);
    if (rows.length > 0) yield rows.map((row) => toCharge(row, now()));
    // A user whose rows reached the limit may have more.
    const last = new Map(rows.map((row) => [row.user_id, row]));
    const counts = new Map<string, number>();
    for (const { user_id: userId } of rows) counts.set(userId, (counts.get(userId) ?? 0) + 1);
    waiting = waiting.flatMap(({ userId }) => {
      const row = last.get(userId);
      return row && counts.get(userId) === limit ? [{ userId, at: row.created_text, id: row.id }] : [];
    });
  }
}

/** The charges of these generations; those that do not exist are missing. @param ids UUIDs */
export async function chargesOf(pool: Pool, ids: readonly string[], now: Date): Promise<Charge[]> {
  if (ids.length === 0) return [];
  const text = `select ${CHARGED} from generation g ${CREATOR} where g.id = any($1::uuid[])`;
  const { rows } = await pool.query<ChargedGeneration>(text, [ids]);
  return rows.map((row) => toCharge(row, now));
}

/** A place among all generations, or all credited checkouts, by age. */
export interface AgedCursor {
  readonly at: Date;
  readonly id: string;
}

/** The next records after a place, and the place of the last one. */
export interface AgedPage<Found> {
  readonly found: readonly Found[];
  readonly last: AgedCursor | null;
}

/** The next charges of all users after a place, by the age of the generation, and the place of the last one. */
export async function chargesAfter(
  pool: Pool,
  { after, until, limit }: { readonly after: AgedCursor | null; readonly until: Date; readonly limit: number },
  now: Date,
): Promise<AgedPage<Charge>> {
  const { rows } = await pool.query<ChargedGeneration>(
    `select ${CHARGED} from generation g ${CREATOR}
     where (g.created_at, g.id) > ($1, $2::uuid) and g.created_at <= $3
     order by g.created_at, g.id limit $4`,
    [after?.at ?? new Date(0), after?.id ?? FIRST_ID, until, limit],
  );
  const last = rows.at(-1);
  return {
    found: rows.map((row) => toCharge(row, now)),
    last: last ? { at: new Date(last.created_ms), id: last.id } : null,
  };
}

/** The next generations of each user, the latest first: in the order of an index, so that no page reads all of them. */
async function readPage(
  pool: Pool,
  waiting: readonly Waiting[],
  limit: number,
): Promise<(ChargedGeneration & { readonly created_text: string })[]> {
  const { rows } = await pool.query<ChargedGeneration & { readonly created_text: string }>({
    name: 'audit-charges',
    text: `select ${CHARGED}, g.created_at::text as created_text
    from unnest($1::text[], $2::timestamptz[], $3::uuid[]) with ordinality as wanted (user_id, at, id, place)
    cross join lateral (
      select * from generation g
      where g.user_id = wanted.user_id and (g.created_at, g.id) < (wanted.at, wanted.id)
      order by g.created_at desc, g.id desc limit $4
    ) as g ${CREATOR}
    order by wanted.place, g.created_at desc, g.id desc`,
    values: [waiting.map(({ userId }) => userId), waiting.map(({ at }) => at), waiting.map(({ id }) => id), limit],
  });
  return rows;
}

function toCharge(row: ChargedGeneration, now: Date): Charge {
  const { user_id: userId, id: deductionId, creator_id: creatorId, cost: amount, closed_ms: closedAt } = row;
  const { creator_user_id: creatorUserId, is_test: isTest, trial_is_logged: trialIsLogged } = row;
  return {
    userId,
    deductionId,
    creatorId,
    creatorUserId,
    amount,
    isTest,
    trialIsLogged,
    closedAt,
    content: row.erased ? null : { salt: row.salt, prompt: row.salted_prompt ?? '', file: row.salted_file },
    state: chargeState(row, now),
  };
}

function chargeState(
  { status, refunded, closed_ms: closedAt, created_ms: createdAt }: ChargedGeneration,
  now: Date,
): Charge['state'] {
  if (status === 'pending' || closedAt === null) {
    return now.getTime() - createdAt > STUCK_MS ? 'stuck' : 'open';
  }
  if (status === 'completed') return 'delivered';
  return refunded ? 'returned' : 'nothing';
}

/** The difference between a generation and its deduction, as a sentence; null when they agree. */
export function chargeMismatch(
  charge: Charge,
  deduction: DeductionRecord | undefined,
  repairs: readonly Pick<AuditedRepair, 'at' | 'aheadUntil'>[] = [],
): string | null {
  const { deductionId, creatorId, amount, state, closedAt } = charge;
  const outcome = deduction?.outcome ?? 'not deducted';
  const subject = `Generation ${deductionId} `;
  if (charge.isTest) return testMismatch(charge, deduction);
  switch (state) {
    case 'open':
      return null;
    case 'stuck':
      return `${subject}has been open for too long; its credits are ${outcome}.`;
    case 'nothing':
      // The ledger refuses an id that is too old instead of voiding it: no credits can be taken under it.
      if (!deduction && closedAt !== null && isClosed(deductionId, latestTime(closedAt, repairs))) return null;
      return outcome === 'voided' ? null : `${subject}failed before its deduction, but its credits are ${outcome}.`;
    case 'delivered':
    case 'returned': {
      const expected = state === 'delivered' ? 'settled' : 'refunded';
      if (outcome !== expected) {
        return `${subject}was ${state === 'delivered' ? state : 'refunded'}, but its credits are ${outcome}.`;
      }
      if (deduction?.amount === amount && deduction.creatorId === creatorId) return ownerMismatch(charge, deduction);
      return `${subject}costs ${amount} credits for creator ${creatorId}, but its deduction took ${deduction?.amount} for ${deduction?.creatorId}.`;
    }
  }
}

/** Whether the settlement of a delivered image has no hashes: it was made before there were some. */
export function isUncovered({ state, isTest }: Charge, deduction: DeductionRecord | undefined): boolean {
  return state === 'delivered' && !isTest && deduction?.outcome === 'settled' && !deduction.hashes;
}

/**
 * The difference between an image with its prompt and the hashes in its settlement, as a sentence; null when they
 * agree.
 * @param files the stored images; null: they are not compared
 */
export async function contentMismatch(
  { deductionId, content }: Charge,
  hashes: DeductionRecord['hashes'],
  files: ImageFiles | null,
): Promise<string | null> {
  if (!hashes || !content) return null;
  const { salt, prompt, file } = content;
  const subject = `Generation ${deductionId} `;
  if (salt === null) return `${subject}has lost the salt of the hashes in its settlement.`;
  if (saltedHash(salt, prompt) !== hashes[1]) return `${subject}has another prompt than its settlement fixed.`;
  if (!files) return null;
  const bytes = file === null ? null : await files.get(file);
  if (!bytes) return `${subject}lacks the file of its image.`;
  return saltedHash(salt, bytes) === hashes[0] ? null : `${subject}has another image than its settlement fixed.`;
}

/** A test moves no credits. A creator without an identity proves nothing about the maker. */
function testMismatch(
  { deductionId, userId, creatorId, creatorUserId, trialIsLogged, state }: Charge,
  deduction: DeductionRecord | undefined,
): string | null {
  const subject = `Generation ${deductionId} `;
  if (deduction) return `${subject}is a free test, but its credits are ${deduction.outcome}.`;
  if (trialIsLogged !== null) {
    if (userId !== TRIAL_OWNER + creatorId) return `${subject}is a trial picture of another creator than ${creatorId}.`;
    if (!trialIsLogged) return `${subject}is a trial picture, but the log has no act of an admin.`;
  } else if (creatorUserId !== null && creatorUserId !== userId) {
    return `${subject}is a test of creator ${creatorId}, but its maker is not this creator.`;
  }
  return state === 'stuck' ? `${subject}is a test that has been open for too long.` : null;
}

/** A creator's own image earns nothing, so the events must state truly whether the user is the creator. */
function ownerMismatch(
  { deductionId, userId, creatorId, creatorUserId }: Charge,
  { ownGeneration }: DeductionRecord,
): string | null {
  if (creatorUserId === null || ownGeneration === null || ownGeneration === (creatorUserId === userId)) return null;
  const stated = ownGeneration ? 'as an own generation of' : 'as the image of another user than';
  return `Generation ${deductionId} was deducted ${stated} creator ${creatorId}, but the identity of the creator says otherwise.`;
}

/** The instant at which the age of an id counts: a repaired account still refuses what it refused as old before. */
function latestTime(at: number, repairs: readonly Pick<AuditedRepair, 'at' | 'aheadUntil'>[]): number {
  return Math.max(at, ...repairs.map((repair) => closedUntil(repair.aheadUntil, repair.at)));
}

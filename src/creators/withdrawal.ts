import { type Kysely, type RawBuilder, sql } from 'kysely';
import { MODEL_DELETION_DAYS } from '../contract/creator-controls.js';
import { type ImageInfo } from '../contract/media.js';
import { type Acts } from '../platform/acts/acts.js';
import { columnsOf, consentRow, logConsent, type StoredConsent } from './consent.js';
import { type CreatorTables } from './tables.js';

/** The end of a consent. */
export interface Withdrawal {
  readonly userId: string;
  readonly at: Date;
  /** Ids of the record and of the task to delete the model. */
  readonly consentId: string;
  readonly taskId: string;
  readonly userAgent: string;
  /** The account is closed: the user can neither give the consent again nor apply, and the closing stops the images. */
  readonly closing: boolean;
}

/** Where acts of consent are stored. */
interface ConsentStore {
  readonly db: Kysely<CreatorTables>;
  readonly acts: Acts;
}

/** A creator whose consent has ended. */
interface Withdrawn {
  readonly creatorId: string;
  readonly withdrawnAt: Date;
  /** The portrait; null without one. */
  readonly profile: ImageInfo | null;
}

/**
 * Withdraws the consent of a user, in one statement and its entry in the log of acts: nothing of the creator is public
 * and no image starts from then on.
 * Stores the act, a task to delete the model, and, unless the account closes, that images in the style must be stopped
 * and their files moved. A repeated call changes nothing. Null for fans.
 */
export async function storeWithdrawal(
  { db, acts }: ConsentStore,
  { userId, at, consentId, taskId, userAgent, closing }: Withdrawal,
): Promise<Withdrawn | null> {
  const context = closing ? 'closing' : 'controls';
  const consent = consentRow({ id: consentId, userId, kind: 'withdrawn', at, context, userAgent });
  const dueAt = new Date(at.getTime() + MODEL_DELETION_DAYS * 86_400_000);
  const row = await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ id: string; withdrawn_at: Date; newly: boolean; profile: ImageInfo | null }>`
    with applicant as (
      insert into creator_applicant (clerk_id, closed_at) select ${userId}, ${at}::timestamptz where ${closing}::boolean
      on conflict (clerk_id) do update set closed_at = excluded.closed_at where creator_applicant.closed_at is null
    ),
    own as (
      select id, clerk_id, withdrawn_at, closed_at, style_changed_at, profile, coalesce(deployment_name, lora_id) as model
      from creator where clerk_id = ${userId} for update
    ),
    changed as (
      update creator set
        withdrawn_at = coalesce(own.withdrawn_at, ${at}::timestamptz),
        closed_at = case when ${closing}::boolean then coalesce(own.closed_at, ${at}::timestamptz) end,
        -- A closing withholds the images itself, unless the end of an earlier withdrawal is still releasing them.
        style_changed_at = case when not ${closing}::boolean or own.style_changed_at is not null then ${at}::timestamptz end,
        style_due_at = case when not ${closing}::boolean or own.style_changed_at is not null then ${at}::timestamptz end,
        updated_at = ${at}::timestamptz
      from own
      where creator.id = own.id and (own.withdrawn_at is null or (${closing}::boolean and own.closed_at is null))
    ),
    act as (
      insert into creator_consent (${columnsIn(consent)})
      select ${sql.join(Object.values(consent))} from own where withdrawn_at is null
    ),
    task as (
      insert into creator_model_deletion (id, creator_id, model, requested_at, due_at)
      select ${taskId}::uuid, id, model, ${at}::timestamptz, ${dueAt}::timestamptz
      from own where model is not null
      on conflict do nothing
    )
    select id, coalesce(withdrawn_at, ${at}::timestamptz) as withdrawn_at, withdrawn_at is null as newly, profile
    from own`.execute(transaction);
    if (rows[0]?.newly) await logConsent(acts, transaction, consent);
    return rows[0];
  });
  return row ? { creatorId: row.id, withdrawnAt: row.withdrawn_at, profile: row.profile } : null;
}

/**
 * Stores an acceptance, and gives a withdrawn consent again, in one statement and its entry in the log of acts: the
 * page is public as it was before, and
 * the task to delete the model ends. An acceptance with a known id changes nothing, also after a later
 * withdrawal. Nothing is stored for a closed account.
 * @returns whether the account is open
 */
export async function storeAcceptance({ db, acts }: ConsentStore, acceptance: StoredConsent): Promise<boolean> {
  const { clerk_id: userId, at } = acceptance;
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ stored: boolean }>`
    with own as (
      select id, withdrawn_at is not null as withdrawn from creator
      where clerk_id = ${userId} and closed_at is null for update
    ),
    act as (
      insert into creator_consent (${columnsIn(acceptance)}) select ${sql.join(Object.values(acceptance))} from own
      on conflict (id) do nothing returning id
    ),
    changed as (
      update creator set withdrawn_at = null, style_changed_at = ${at}::timestamptz, style_due_at = ${at}::timestamptz,
        updated_at = ${at}::timestamptz
      from own where creator.id = own.id and own.withdrawn and exists (select from act)
    ),
    task as (
      update creator_model_deletion set cancelled_at = ${at}::timestamptz
      from own where creator_id = own.id and own.withdrawn and exists (select from act)
        and done_at is null and cancelled_at is null
    )
    select exists (select from act) as stored from own`.execute(transaction);
    if (rows[0]?.stored) await logConsent(acts, transaction, acceptance);
    return rows.length > 0;
  });
}

function columnsIn(row: StoredConsent): RawBuilder<unknown> {
  return sql.join(columnsOf(row).map((column) => sql.ref(column)));
}

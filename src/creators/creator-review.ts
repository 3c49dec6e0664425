import { Inject, Injectable } from '@nestjs/common';
import {
  type ExpressionBuilder,
  type Insertable,
  type Kysely,
  type SqlBool,
  type Expression,
  type Updateable,
} from 'kysely';
import { type ActKind, type ActValues } from '../contract/acts.js';
import { type AdminCreator } from '../contract/creators.js';
import { type Actor } from '../platform/acts/actor.js';
import { Acts } from '../platform/acts/acts.js';
import { Clock } from '../platform/clock.js';
import { DATABASE } from '../platform/database/database.js';
import { DomainError } from '../platform/domain-error.js';
import { newSalt, sealRow } from '../platform/acts/sealed-rows.js';
import { IdGenerator } from '../platform/ids.js';
import { columnsOf, valuesOf } from './consent.js';
import { selectRecords, toAdminCreator } from './reads/creator-record.js';
import { SEALED_DECISION } from './sealed-tables.js';
import { type CreatorTables, type DecisionKind } from './tables.js';

type Creators = CreatorTables['creator'];
type Decision = Insertable<CreatorTables['creator_decision']>;

/** An act of an admin: the change of the creator, and what is recorded about it. */
export interface Act {
  readonly creatorId: string;
  readonly actor: Actor;
  readonly change: Updateable<Creators>;
  /** The state in which the act is possible, and would change something. */
  readonly when: (row: ExpressionBuilder<CreatorTables, 'creator'>) => Expression<SqlBool>;
  readonly decision: Pick<Decision, 'kind'> & Partial<Decision>;
  /** The values in the log's entry. They must not name a person. */
  readonly before?: ActValues;
  readonly after?: ActValues;
}

/** The kind of each decision in the log of acts. */
const ACT_KINDS: Readonly<Record<DecisionKind, ActKind>> = {
  approved: 'application.approved',
  rejected: 'application.rejected',
  model_assigned: 'model.assigned',
  archived: 'creator.archived',
  unarchived: 'creator.unarchived',
  featured: 'creator.featured',
  unfeatured: 'creator.unfeatured',
};

/** The columns that a decision may leave out. */
const NO_TEXTS = { reason: null, identity_verified: null, age_verified: null, instagram_verified: null, model: null };

/** Decisions that put an application into another list. */
const STATE_KINDS: ReadonlySet<DecisionKind> = new Set<DecisionKind>(['approved', 'rejected', 'model_assigned']);

/** The acts of admins on creators. Each change, its record and its entry in the log are stored in one transaction. */
@Injectable()
export class CreatorReview {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables>,
    private readonly acts: Acts,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  /** False, with nothing stored, when the state does not allow the act. */
  async perform({ creatorId, actor, change, when, decision, before = {}, after = {} }: Act): Promise<boolean> {
    const now = this.clock.now();
    const actorId = actor.userId;
    const salt = newSalt();
    const row = { ...decision, id: this.ids.next(), creator_id: creatorId, actor_id: actorId, decided_at: now, salt };
    return this.db.transaction().execute(async (transaction) => {
      const creator = await transaction
        .with('changed', (db) =>
          db
            .updateTable('creator')
            .set({ ...change, ...(STATE_KINDS.has(decision.kind) ? { state_since: now } : {}), updated_at: now })
            .where('id', '=', creatorId)
            .where(when)
            .returning(['id', 'name']),
        )
        .with('decided', (db) =>
          db
            .insertInto('creator_decision')
            .columns(columnsOf(row))
            .expression((select) => select.selectFrom('changed').select((from) => valuesOf(row, from))),
        )
        .selectFrom('changed')
        .select('name')
        .executeTakeFirst();
      if (!creator) return false;
      await this.acts.record(transaction, {
        kind: ACT_KINDS[decision.kind],
        actor,
        subject: { kind: 'creator', id: creatorId, name: creator.name },
        creatorId,
        before,
        after,
        reason: decision.reason ?? null,
        rows: sealRow(SEALED_DECISION, { ...NO_TEXTS, ...row }, salt),
      });
      return true;
    });
  }

  /** @throws DomainError notFound */
  async record(creatorId: string): Promise<AdminCreator> {
    const row = await selectRecords(this.db).where('creator.id', '=', creatorId).executeTakeFirst();
    if (!row) throw new DomainError('notFound', 'There is no such creator.');
    return toAdminCreator(row);
  }
}

/** The name of the unique constraint that a statement has violated; null for every other error. */
export function violatedConstraint(error: unknown): string | null {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && typeof constraint === 'string' ? constraint : null;
}

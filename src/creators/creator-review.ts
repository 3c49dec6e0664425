import { Inject, Injectable } from '@nestjs/common';
import {
  type ExpressionBuilder,
  type Insertable,
  type Kysely,
  type SqlBool,
  type Expression,
  type Updateable,
} from 'kysely';
import { type AdminCreator } from '../contract/creators.js';
import { Clock } from '../platform/clock.js';
import { DATABASE } from '../platform/database/database.js';
import { DomainError } from '../platform/domain-error.js';
import { IdGenerator } from '../platform/ids.js';
import { columnsOf, valuesOf } from './consent.js';
import { selectRecords, toAdminCreator } from './reads/creator-record.js';
import { type CreatorTables } from './tables.js';

type Creators = CreatorTables['creator'];
type Decision = Insertable<CreatorTables['creator_decision']>;

/** An act of an admin: the change of the creator, and what is recorded about it. */
export interface Act {
  readonly creatorId: string;
  readonly actorId: string;
  readonly change: Updateable<Creators>;
  /** The state in which the act is possible, and would change something. */
  readonly when: (row: ExpressionBuilder<CreatorTables, 'creator'>) => Expression<SqlBool>;
  readonly decision: Pick<Decision, 'kind'> & Partial<Decision>;
}

/** The acts of admins on creators. Each change and its record are stored in one statement. */
@Injectable()
export class CreatorReview {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables>,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  /** False, with nothing stored, when the state does not allow the act. */
  async perform({ creatorId, actorId, change, when, decision }: Act): Promise<boolean> {
    const now = this.clock.now();
    const row = { ...decision, id: this.ids.next(), creator_id: creatorId, actor_id: actorId, decided_at: now };
    const stored = await this.db
      .with('changed', (db) =>
        db
          .updateTable('creator')
          .set({ ...change, updated_at: now })
          .where('id', '=', creatorId)
          .where(when)
          .returning('id'),
      )
      .insertInto('creator_decision')
      .columns(columnsOf(row))
      .expression((select) => select.selectFrom('changed').select((from) => valuesOf(row, from)))
      .returning('id')
      .executeTakeFirst();
    return stored !== undefined;
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

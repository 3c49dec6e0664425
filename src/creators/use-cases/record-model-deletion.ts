import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { CONTROL_MESSAGES } from '../../contract/creator-controls.js';
import { type Actor } from '../../platform/acts/actor.js';
import { Acts } from '../../platform/acts/acts.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { isUuid } from '../../platform/ids.js';
import { CommandOf } from '../../platform/messages.js';
import { type CreatorTables } from '../tables.js';

/**
 * Records that an admin has deleted the model of a withdrawn creator at the image provider. The creator has no model
 * from then on; one that accepts the terms again waits for a new one.
 * @throws DomainError notFound without an open task
 */
export class RecordModelDeletion extends CommandOf<{ readonly actor: Actor; readonly creatorId: string }, void> {}

@CommandHandler(RecordModelDeletion)
export class RecordModelDeletionHandler implements ICommandHandler<RecordModelDeletion> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables>,
    private readonly acts: Acts,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { actor, creatorId } }: RecordModelDeletion): Promise<void> {
    const now = this.clock.now();
    const recorded =
      isUuid(creatorId) &&
      (await this.db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ name: string; clerk_id: string | null }>`
          with own as (
            select id, name, clerk_id from creator
            where id = ${creatorId}::uuid and withdrawn_at is not null for update
          ),
          task as (
            update creator_model_deletion set done_at = ${now}::timestamptz, done_by = ${actor.userId}
            from own where creator_id = own.id and done_at is null and cancelled_at is null
            returning creator_id
          ),
          cleared as (
            update creator set deployment_name = null, lora_id = null, updated_at = ${now}::timestamptz
            from task where creator.id = task.creator_id
          )
          select name, clerk_id from own join task on task.creator_id = own.id`.execute(transaction);
        const [creator] = rows;
        if (!creator) return false;
        await this.acts.record(transaction, {
          kind: 'model.deleted',
          actor,
          subject: { kind: 'creator', id: creatorId.toLowerCase(), name: creator.name },
          userId: creator.clerk_id,
          creatorId: creatorId.toLowerCase(),
          before: { has_model: true },
          after: { has_model: false },
        });
        return true;
      }));
    if (!recorded) throw new DomainError('notFound', CONTROL_MESSAGES.modelDeletionNotFound);
  }
}

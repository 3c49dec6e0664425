import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { type ModelColumns } from '../model-reference.js';
import { type CreatorTables } from '../tables.js';

/** Facts that decide whether an admin may try a model for a creator. */
export interface TrialSubject {
  readonly name: string;
  /** Approved, and not withdrawn. */
  readonly mayGetModel: boolean;
  /** The admin is this creator. */
  readonly isUser: boolean;
  /** Another creator has the model, or had it and has left. */
  readonly modelIsTaken: boolean;
}

/** Whether an admin may try a model for a creator. Null for an unknown creator. */
export class GetTrialSubject extends Query<TrialSubject | null> {
  constructor(readonly input: { readonly creatorId: string; readonly model: ModelColumns; readonly adminId: string }) {
    super();
  }
}

@QueryHandler(GetTrialSubject)
export class GetTrialSubjectHandler implements IQueryHandler<GetTrialSubject> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

  async execute({ input: { creatorId, model, adminId } }: GetTrialSubject): Promise<TrialSubject | null> {
    const row = await this.db
      .selectFrom('creator')
      .select(['name', 'clerk_id', 'creator_status', 'withdrawn_at'])
      .select((select) =>
        select
          .exists(
            select
              .selectFrom('creator as other')
              .where((other) =>
                model.lora_id === null
                  ? other('other.deployment_name', '=', model.deployment_name)
                  : other('other.lora_id', '=', model.lora_id),
              )
              .whereRef('other.id', '<>', 'creator.id'),
          )
          .as('model_is_taken'),
      )
      .where('id', '=', creatorId)
      .executeTakeFirst();
    return row
      ? {
          name: row.name,
          mayGetModel: row.creator_status === 'active' && row.withdrawn_at === null,
          isUser: row.clerk_id === adminId,
          modelIsTaken: Boolean(row.model_is_taken),
        }
      : null;
  }
}

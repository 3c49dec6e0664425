import { QueryHandler } from '@nestjs/cqrs';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
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
export class GetTrialSubject extends QueryOf<
  { readonly creatorId: string; readonly model: ModelColumns; readonly adminId: string },
  TrialSubject | null
> {}

@QueryHandler(GetTrialSubject)
export class GetTrialSubjectHandler extends ReadHandler<CreatorTables, GetTrialSubject> {
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

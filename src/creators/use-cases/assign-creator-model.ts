import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type AdminCreator } from '../../contract/creators.js';
import { type Actor } from '../../platform/acts/actor.js';
import { DomainError } from '../../platform/domain-error.js';
import { CommandOf } from '../../platform/messages.js';
import { CreatorReview, violatedConstraint } from '../creator-review.js';
import { type ModelColumns } from '../model-reference.js';
import { refuseOwnApplication } from '../own-application.js';

/**
 * Assigns the model of an approved creator. It replaces an earlier one; images of the earlier one stay. The same model
 * changes nothing. Admins act through `AssignTestedModel` of the generation context, which asks for a trial picture.
 * @throws DomainError notFound; forbidden for the admin's own application; conflict for the model of another creator,
 *   for a creator who is not approved or has withdrawn, and when another admin assigns a model at the same time
 */
export class AssignCreatorModel extends CommandOf<
  {
    readonly creatorId: string;
    readonly actor: Actor;
    readonly model: ModelColumns;
    /** The trial picture that the admin has seen. Kept with the act. */
    readonly trialId: string;
  },
  AdminCreator
> {}

@CommandHandler(AssignCreatorModel)
export class AssignCreatorModelHandler implements ICommandHandler<AssignCreatorModel> {
  constructor(private readonly review: CreatorReview) {}

  async execute({ input: { creatorId, actor, model, trialId } }: AssignCreatorModel): Promise<AdminCreator> {
    const known = await this.review.record(creatorId);
    refuseOwnApplication(known, actor.userId);
    const before = nameOf(known);
    const after = nameOf(model);
    if (known.creator_status !== 'active' || known.withdrawn_at !== null) {
      const message = 'Only an approved creator who has not withdrawn can get a model.';
      throw new DomainError('conflict', message, { code: '55000' });
    }
    if (before === after) return known;
    const assigned = await this.review
      .perform({
        creatorId,
        actor,
        change: model,
        when: (row) =>
          row.and([
            row('creator_status', '=', 'active'),
            row('withdrawn_at', 'is', null),
            row(row.fn.coalesce('deployment_name', 'lora_id'), 'is not distinct from', before),
          ]),
        decision: { kind: 'model_assigned', model: after },
        before: { model: before },
        after: { model: after, trial: trialId },
      })
      .catch((error: unknown) => {
        if (violatedConstraint(error) === null) throw error;
        throw new DomainError('conflict', 'This model belongs to another creator.', { cause: error });
      });
    if (assigned) return { ...known, ...model };
    throw new DomainError('conflict', 'The creator was changed meanwhile. Please look again.', { code: '55000' });
  }
}

/** The model's own name: a deployment, or a version. */
function nameOf(model: { readonly deployment_name: string | null; readonly lora_id: string | null }): string | null {
  return model.deployment_name ?? model.lora_id;
}

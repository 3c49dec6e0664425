import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type AdminCreator } from '../../contract/creators.js';
import { DomainError } from '../../platform/domain-error.js';
import { CreatorReview, violatedConstraint } from '../creator-review.js';
import { readModel } from '../model-reference.js';

/**
 * Assigns the model of an approved creator. It replaces an earlier one; images of the earlier one stay.
 * @throws DomainError invalid unless exactly one is given in the provider's form; conflict for the model of another
 * creator, and for a creator who is not approved or has withdrawn
 */
export class AssignCreatorModel extends Command<AdminCreator> {
  constructor(
    readonly input: {
      readonly creatorId: string;
      readonly actorId: string;
      readonly deploymentName?: string | null | undefined;
      readonly loraId?: string | null | undefined;
    },
  ) {
    super();
  }
}

@CommandHandler(AssignCreatorModel)
export class AssignCreatorModelHandler implements ICommandHandler<AssignCreatorModel> {
  constructor(private readonly review: CreatorReview) {}

  async execute({ input }: AssignCreatorModel): Promise<AdminCreator> {
    const { creatorId, actorId } = input;
    const model = readModel(input.deploymentName, input.loraId);
    const act = {
      creatorId,
      actorId,
      change: model,
      decision: { kind: 'model_assigned' as const, model: model.deployment_name ?? model.lora_id },
    };
    const assigned = await this.review
      .perform({ ...act, when: (row) => row('creator_status', '=', 'active').and('withdrawn_at', 'is', null) })
      .catch((error: unknown) => {
        if (violatedConstraint(error) === null) throw error;
        throw new DomainError('conflict', 'This model belongs to another creator.', { cause: error });
      });
    const record = await this.review.record(creatorId);
    if (assigned) return record;
    throw new DomainError('conflict', 'Only an approved creator who has not withdrawn can get a model.', {
      code: '55000',
    });
  }
}

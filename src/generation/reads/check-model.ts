import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type ModelCheck } from '../../contract/applications.js';
import { FindModelOwner, type ModelColumns } from '../../creators/index.js';
import { QueryOf } from '../../platform/messages.js';
import { MESSAGES } from '../messages.js';
import { ImageProvider } from '../providers/image-provider.js';
import { referenceOf, requireAnswer } from '../use-cases/model-look-up.js';

/** A version without the name of its model: the provider cannot look it up. */
const BARE_VERSION = /^[0-9a-f]{64}$/;

/**
 * Looks a model up at the image provider, and says which creator has it.
 * @throws DomainError unavailable when the provider does not answer
 */
export class CheckModel extends QueryOf<{ readonly model: ModelColumns }, ModelCheck> {}

@QueryHandler(CheckModel)
export class CheckModelHandler implements IQueryHandler<CheckModel> {
  constructor(
    private readonly queries: QueryBus,
    private readonly provider: ImageProvider,
  ) {}

  async execute({ input: { model } }: CheckModel): Promise<ModelCheck> {
    const [found, owner] = await Promise.all([
      requireAnswer(this.provider.hasModel(referenceOf(model))),
      this.queries.execute(new FindModelOwner(model)),
    ]);
    const missing = BARE_VERSION.test(model.lora_id ?? '') ? MESSAGES.modelUnnamed : MESSAGES.modelNotFound;
    return {
      found,
      assigned_to: owner && { creator_id: owner.creatorId, name: owner.name },
      problem: owner ? MESSAGES.modelOf(owner.name) : found ? null : missing,
    };
  }
}

import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { type AdminCreator } from '../../contract/creators.js';
import { DAY_MS } from '../../contract/durations.js';
import { MODEL_TRIAL_DAYS } from '../../contract/limits.js';
import { AssignCreatorModel, GetCreator } from '../../creators/index.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { CommandOf } from '../../platform/messages.js';
import { MESSAGES } from '../messages.js';
import { trialOwner } from '../trials/model-trials.js';
import { ImageProvider } from '../providers/image-provider.js';
import { type GenerationTables } from '../tables.js';
import { referenceOf, requireAnswer } from './model-look-up.js';

/**
 * Assigns a model that the image provider has, on a finished trial picture of exactly this model for this creator. The
 * picture must be at most `MODEL_TRIAL_DAYS` old, and is kept with the act.
 * @throws DomainError notFound, conflict without such a picture, unprocessable when the provider does not have the
 *   model, unavailable when it does not answer, and as `AssignCreatorModel`
 */
export class AssignTestedModel extends CommandOf<AssignCreatorModel['input'], AdminCreator> {}

@CommandHandler(AssignTestedModel)
export class AssignTestedModelHandler implements ICommandHandler<AssignTestedModel> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly provider: ImageProvider,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { creatorId, actor, model, trialId } }: AssignTestedModel): Promise<AdminCreator> {
    const trial = await this.db
      .selectFrom('generation')
      .select(['model', 'status', 'created_at'])
      .where('id', '=', trialId)
      .where('user_id', '=', trialOwner(creatorId))
      .where('creator_id', '=', creatorId)
      .where('is_test', '=', true)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    const oldest = new Date(this.clock.now().getTime() - MODEL_TRIAL_DAYS * DAY_MS);
    if (!trial && !(await this.queries.execute(new GetCreator({ creatorId })))) {
      throw new DomainError('notFound', 'There is no such creator.');
    }
    if (trial?.model !== (model.deployment_name ?? model.lora_id)) throw refusal(MESSAGES.trialMissing);
    if (trial.status !== 'completed') throw refusal(MESSAGES.trialUnfinished);
    if (trial.created_at < oldest) throw refusal(MESSAGES.trialTooOld(MODEL_TRIAL_DAYS));
    if (!(await requireAnswer(this.provider.hasModel(referenceOf(model))))) {
      throw new DomainError('unprocessable', MESSAGES.modelNotFound, { code: '22023' });
    }
    return this.commands.execute(new AssignCreatorModel({ creatorId, actor, model, trialId }));
  }
}

function refusal(message: string): DomainError {
  return new DomainError('conflict', message, { code: '55000' });
}

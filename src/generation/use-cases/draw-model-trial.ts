import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { type ModelTrial } from '../../contract/applications.js';
import { DEFAULT_ASPECT_RATIO } from '../../contract/aspect-ratios.js';
import { TESTS_PER_DAY } from '../../contract/limits.js';
import { GetTrialSubject, type ModelColumns, OWN_APPLICATION } from '../../creators/index.js';
import { type Actor } from '../../platform/acts/actor.js';
import { Acts } from '../../platform/acts/acts.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { IdGenerator } from '../../platform/ids.js';
import { CommandOf } from '../../platform/messages.js';
import { StartRows } from '../rows/start-rows.js';
import { MESSAGES } from '../messages.js';
import { toTrial, trialOwner } from '../trials/model-trials.js';
import { PromptPolicy } from '../moderation/prompt-policy.js';
import { sanitisePrompt } from '../prompts/sanitise-prompt.js';
import { type GenerationTables } from '../tables.js';
import { insertRow, modelOf, PredictionStarter } from './start-prediction.js';

/**
 * Draws a trial picture with a model before it is assigned. It costs no credits, is in no list or count of others, and
 * only admins see it. The act is recorded with the row.
 * @throws DomainError with a text for every refusal
 */
export class DrawModelTrial extends CommandOf<
  {
    readonly creatorId: string;
    readonly actor: Actor;
    readonly model: ModelColumns;
    /** As the admin typed it; it is sanitised here. */
    readonly prompt: string;
  },
  ModelTrial
> {}

@CommandHandler(DrawModelTrial)
export class DrawModelTrialHandler implements ICommandHandler<DrawModelTrial> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly queries: QueryBus,
    private readonly rows: StartRows,
    private readonly acts: Acts,
    private readonly predictions: PredictionStarter,
    private readonly policy: PromptPolicy,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  async execute({ input: { creatorId, actor, model: columns, prompt: typed } }: DrawModelTrial): Promise<ModelTrial> {
    const prompt = sanitisePrompt(typed);
    if (prompt === '') throw new DomainError('unprocessable', MESSAGES.invalidPrompt, { code: '22023' });
    const { userId: adminId } = actor;
    const subject = await this.queries.execute(new GetTrialSubject({ creatorId, model: columns, adminId }));
    if (!subject) throw new DomainError('notFound', 'There is no such creator.');
    if (subject.isUser) throw new DomainError('forbidden', OWN_APPLICATION);
    if (!subject.mayGetModel) throw new DomainError('conflict', MESSAGES.trialNotApproved, { code: '55000' });
    if (subject.modelIsTaken) throw new DomainError('conflict', MESSAGES.trialOfOther);
    await this.policy.require({ userId: adminId, creatorId, prompt });

    const { name: model, reference } = modelOf({
      name: subject.name,
      deploymentName: columns.deployment_name,
      loraId: columns.lora_id,
    });
    const id = this.ids.next();
    const holder = this.ids.next();
    const row = { id, userId: trialOwner(creatorId), creatorId, prompt, model, holder };
    const insert = (): Promise<void> =>
      this.db.transaction().execute(async (transaction) => {
        await this.rows.insertTest(row, MESSAGES.trialsUsedUp(TESTS_PER_DAY), transaction);
        await this.acts.record(transaction, {
          kind: 'model.trial_drawn',
          actor,
          subject: { kind: 'generation', id, name: subject.name },
          creatorId,
          after: { model },
        });
      });
    await insertRow(() => this.rows.step('insert', insert), MESSAGES.trialPending);
    await this.predictions.start({ id, prompt, aspectRatio: DEFAULT_ASPECT_RATIO, reference });
    const started = { id, creator_id: creatorId, model, prompt, created_at: this.clock.now() };
    return toTrial({ ...started, status: 'pending', error_message: null, image: null });
  }
}

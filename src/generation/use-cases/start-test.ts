import { CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { DEFAULT_ASPECT_RATIO } from '../../contract/aspect-ratios.js';
import { type Creator, GetOwnCreator } from '../../creators/index.js';
import { DomainError } from '../../platform/domain-error.js';
import { IdGenerator } from '../../platform/ids.js';
import { CommandOf } from '../../platform/messages.js';
import { StartRows } from '../rows/start-rows.js';
import { MESSAGES } from '../messages.js';
import { PromptPolicy } from '../moderation/prompt-policy.js';
import { sanitisePrompt } from '../prompts/sanitise-prompt.js';
import { insertRow, modelOf, PredictionStarter } from './start-prediction.js';

export interface StartedTest {
  readonly generationId: string;
  /** Tests that are left on this UTC day. */
  readonly remainingToday: number;
}

/**
 * Starts a free test image with the caller's own model. It takes no credits, earns nothing, and only the caller and
 * admins see it. Creators may test while they are paused or archived, and not once they have withdrawn.
 * @throws DomainError with the product's text for every refusal
 */
export class StartTest extends CommandOf<
  {
    readonly userId: string;
    /** As the creator typed it; it is sanitised here. */
    readonly prompt: string;
  },
  StartedTest
> {}

@CommandHandler(StartTest)
export class StartTestHandler implements ICommandHandler<StartTest> {
  constructor(
    private readonly queries: QueryBus,
    private readonly rows: StartRows,
    private readonly predictions: PredictionStarter,
    private readonly ids: IdGenerator,
    private readonly policy: PromptPolicy,
  ) {}

  async execute({ input: { userId, prompt: typed } }: StartTest): Promise<StartedTest> {
    const prompt = sanitisePrompt(typed);
    if (prompt === '') throw new DomainError('unprocessable', MESSAGES.invalidPrompt, { code: '22023' });
    const creator = requireTester(await this.queries.execute(new GetOwnCreator({ userId })));
    const { name: model, reference } = modelOf(creator);
    await this.policy.require({ userId, creatorId: creator.id, prompt });

    const row = { id: this.ids.next(), userId, creatorId: creator.id, prompt, model, holder: this.ids.next() };
    const insert = () => this.rows.step('insert', () => this.rows.insertTest(row));
    const remainingToday = await insertRow(insert, MESSAGES.testPending);
    await this.predictions.start({ id: row.id, prompt, aspectRatio: DEFAULT_ASPECT_RATIO, reference });
    return { generationId: row.id, remainingToday };
  }
}

/** @throws DomainError when the user is no approved creator, or has withdrawn */
function requireTester(creator: Creator | null): Creator {
  if (creator?.status !== 'active') throw new DomainError('forbidden', MESSAGES.testNotCreator);
  if (creator.withdrawn) throw new DomainError('conflict', MESSAGES.testWithdrawn, { code: '55000' });
  return creator;
}

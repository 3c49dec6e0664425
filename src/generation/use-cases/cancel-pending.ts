import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { PredictionRows } from '../rows/prediction-rows.js';
import { type Failure } from '../predictions/judge-prediction.js';
import { MESSAGES } from '../messages.js';
import { type GenerationTables } from '../tables.js';
import { CreditCloser } from '../steps/close-credits.js';
import { GenerationWorker } from '../steps/generation-worker.js';

export interface CancelledPending {
  /** Cancelled by this call. */
  readonly cancelled: number;
  /** Not ended, or not refunded or settled yet. The reconciler continues with them. */
  readonly stillOpen: number;
}

/**
 * Cancels and refunds the pending generations of a closed account, or those in the style of a withdrawn creator. A
 * finished one whose image is not settled yet counts as still open.
 */
export class CancelPending extends Command<CancelledPending> {
  constructor(readonly input: { readonly userId: string } | { readonly creatorId: string }) {
    super();
  }
}

const BY_OWNER: Failure = { message: MESSAGES.cancelledByUser, reason: 'user_cancelled' };
const BY_CREATOR: Failure = { message: MESSAGES.cancelledByWithdrawal, reason: 'user_cancelled' };
const GENERATIONS_PER_READ = 100;

@CommandHandler(CancelPending)
export class CancelPendingHandler implements ICommandHandler<CancelPending> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly rows: PredictionRows,
    private readonly credits: CreditCloser,
    private readonly worker: GenerationWorker,
  ) {}

  async execute({ input }: CancelPending): Promise<CancelledPending> {
    const pending = await this.open(input)
      .select(['id', 'is_test'])
      .where('status', '=', 'pending')
      .limit(GENERATIONS_PER_READ)
      .execute();
    let cancelled = 0;
    for (const { id, is_test: isTest } of pending) {
      const failure = 'userId' in input || isTest ? BY_OWNER : BY_CREATOR;
      const failed = await this.rows.step('fail', () => this.rows.fail(id, failure));
      if (!failed) continue;
      cancelled += 1;
      // In the background: cancels the prediction at the provider, and retries a refund that fails here.
      this.worker.kick(id);
      await this.credits.refund(failed);
    }
    const { stillOpen } = await this.open(input)
      .select((select) => select.fn.countAll<number>().as('stillOpen'))
      .executeTakeFirstOrThrow();
    return { cancelled, stillOpen };
  }

  private open(input: CancelPending['input']) {
    return (
      this.db
        .selectFrom('generation')
        .where((row) =>
          'userId' in input ? row('user_id', '=', input.userId) : row('creator_id', '=', input.creatorId),
        )
        // Implied by the predicate of the partial index of rows with work left.
        .where(sql<boolean>`(status = 'pending' or credits_closed_at is null)`)
    );
  }
}

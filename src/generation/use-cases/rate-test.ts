import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { TEST_NOTE_MAX_LENGTH } from '../../contract/limits.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { CommandOf } from '../../platform/messages.js';
import { GenerationRows } from '../rows/generation-rows.js';
import { MESSAGES } from '../messages.js';
import { sanitiseText } from '../prompts/sanitise-prompt.js';
import { type GenerationTables } from '../tables.js';
import { isOwn } from '../images/visibility.js';

/**
 * Rates a finished test image of the caller, for the representative who trains the model.
 * @throws DomainError notFound for another user's test and for a generation that is no test, conflict before it is
 *   finished
 */
export class RateTest extends CommandOf<
  {
    readonly userId: string;
    readonly generationId: string;
    /** Null takes the rating back. */
    readonly rating: 'good' | 'bad' | null;
    /** Undefined keeps the note, an empty one removes it. */
    readonly note: string | undefined;
  },
  void
> {}

@CommandHandler(RateTest)
export class RateTestHandler implements ICommandHandler<RateTest> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly rows: GenerationRows,
  ) {}

  async execute({ input: { userId, generationId, rating, note } }: RateTest): Promise<void> {
    const { numUpdatedRows } = await this.db
      .updateTable('generation')
      .set({
        test_rating: rating,
        ...(note === undefined ? {} : { test_note: sanitiseText(note, TEST_NOTE_MAX_LENGTH) || null }),
      })
      .where('id', '=', generationId)
      .where('user_id', '=', userId)
      .where('is_test', '=', true)
      .where('status', '=', 'completed')
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) return;
    const row = await this.rows.find(generationId);
    if (!isOwn(row, userId) || !row.is_test) throw new DomainError('notFound', MESSAGES.notFound);
    throw new DomainError('conflict', MESSAGES.testUnfinished, { code: '55000' });
  }
}

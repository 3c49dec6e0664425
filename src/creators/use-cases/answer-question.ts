import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { type ApplicantQuestion } from '../../contract/applications.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { plainText } from '../plain-text.js';
import { isOfLastApplication, toQuestion } from '../questions.js';
import { type CreatorTables } from '../tables.js';

/**
 * Answers a question about the user's own application. The first answer stays.
 * @throws DomainError invalid without an answer; notFound for another person's question; conflict once it is answered
 *   or
 * the application is decided
 */
export class AnswerQuestion extends Command<ApplicantQuestion> {
  constructor(readonly input: { readonly userId: string; readonly questionId: string; readonly answer: string }) {
    super();
  }
}

@CommandHandler(AnswerQuestion)
export class AnswerQuestionHandler implements ICommandHandler<AnswerQuestion> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables>,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { userId, questionId, answer: typed } }: AnswerQuestion): Promise<ApplicantQuestion> {
    const answer = plainText(typed);
    if (answer === '') throw new DomainError('invalid', 'Write an answer.');
    const answered = await this.db
      .updateTable('creator_question')
      .set({ answer, answered_at: this.clock.now() })
      .from('creator')
      .whereRef('creator.id', '=', 'creator_question.creator_id')
      .where('creator_question.id', '=', questionId)
      .where('creator.clerk_id', '=', userId)
      .where('creator.application_state', '=', 'pending')
      .where(isOfLastApplication)
      .where('answered_at', 'is', null)
      .returning(['creator_question.id', 'question', 'asked_at', 'answer', 'answered_at'])
      .executeTakeFirst();
    if (answered) return toQuestion(answered);
    const known = await this.db
      .selectFrom('creator_question')
      .innerJoin('creator', 'creator.id', 'creator_question.creator_id')
      .select('answered_at')
      .where('creator_question.id', '=', questionId)
      .where('creator.clerk_id', '=', userId)
      .executeTakeFirst();
    if (!known) throw new DomainError('notFound', 'There is no such question.');
    const message = known.answered_at ? 'You have answered this question.' : 'Your application was decided meanwhile.';
    throw new DomainError('conflict', message, { code: '55000' });
  }
}

import { QueryHandler } from '@nestjs/cqrs';
import { type ApplicantQuestion } from '../../contract/applications.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { isOfLastApplication, toQuestion } from '../questions.js';
import { type CreatorTables } from '../tables.js';

const QUESTIONS_SHOWN = 50;

/**
 * The questions to a user about their applications, the latest first. Empty for everyone else. Without those that an
 * earlier application left unanswered: no answer is expected any more.
 */
export class ListOwnQuestions extends QueryOf<{ readonly userId: string }, ApplicantQuestion[]> {}

@QueryHandler(ListOwnQuestions)
export class ListOwnQuestionsHandler extends ReadHandler<CreatorTables, ListOwnQuestions> {
  async execute({ input: { userId } }: ListOwnQuestions): Promise<ApplicantQuestion[]> {
    const rows = await this.db
      .selectFrom('creator')
      .innerJoin('creator_question', 'creator_question.creator_id', 'creator.id')
      .select(['creator_question.id', 'question', 'asked_at', 'answer', 'answered_at'])
      .where('creator.clerk_id', '=', userId)
      .where((row) => row.or([row('answered_at', 'is not', null), isOfLastApplication]))
      .orderBy('asked_at', 'desc')
      .limit(QUESTIONS_SHOWN)
      .execute();
    return rows.map(toQuestion);
  }
}

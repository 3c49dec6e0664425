import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { type ApplicantQuestion } from '../../contract/applications.js';
import { DATABASE } from '../../platform/database/database.js';
import { isOfLastApplication, toQuestion } from '../questions.js';
import { type CreatorTables } from '../tables.js';

const QUESTIONS_SHOWN = 50;

/**
 * The questions to a user about their applications, the latest first. Empty for everyone else. Without those that an
 * earlier application left unanswered: no answer is expected any more.
 */
export class ListOwnQuestions extends Query<ApplicantQuestion[]> {
  constructor(readonly input: { readonly userId: string }) {
    super();
  }
}

@QueryHandler(ListOwnQuestions)
export class ListOwnQuestionsHandler implements IQueryHandler<ListOwnQuestions> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

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

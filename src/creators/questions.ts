import { type Selectable } from 'kysely';
import { type ApplicantQuestion } from '../contract/applications.js';
import { type CreatorTables } from './tables.js';

/** A question for its applicant and for admins. */
export function toQuestion(
  row: Pick<Selectable<CreatorTables['creator_question']>, 'id' | 'question' | 'asked_at' | 'answer' | 'answered_at'>,
): ApplicantQuestion {
  return {
    id: row.id,
    question: row.question,
    asked_at: row.asked_at.toISOString(),
    answer: row.answer,
    answered_at: row.answered_at?.toISOString() ?? null,
  };
}

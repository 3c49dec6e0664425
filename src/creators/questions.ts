import { type Selectable } from 'kysely';
import { wireFields } from '../platform/wire-fields.js';
import { type ApplicantQuestion } from '../contract/applications.js';
import { type CreatorTables } from './tables.js';

/** A question for its applicant and for admins. */
export function toQuestion(
  row: Pick<Selectable<CreatorTables['creator_question']>, 'id' | 'question' | 'asked_at' | 'answer' | 'answered_at'>,
): ApplicantQuestion {
  return wireFields(row, ['id', 'question', 'asked_at', 'answer', 'answered_at']);
}

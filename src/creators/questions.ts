import { type Selectable, sql } from 'kysely';
import { wireFields } from '../platform/wire-fields.js';
import { type ApplicantQuestion } from '../contract/applications.js';
import { type CreatorTables } from './tables.js';

/** Condition of a read of `creator` and `creator_question`: no later application has followed that of the question. */
export const isOfLastApplication = sql<boolean>`creator_question.application_id = (
  select id from creator_application where creator_id = creator.id order by applied_at desc limit 1)`;

/** A question for its applicant and for admins. */
export function toQuestion(
  row: Pick<Selectable<CreatorTables['creator_question']>, 'id' | 'question' | 'asked_at' | 'answer' | 'answered_at'>,
): ApplicantQuestion {
  return wireFields(row, ['id', 'question', 'asked_at', 'answer', 'answered_at']);
}

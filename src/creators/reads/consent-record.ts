import { type Selectable } from 'kysely';
import { wireFields } from '../../platform/wire-fields.js';
import { type ConsentRecord } from '../../contract/creators.js';
import { type CreatorTables } from '../tables.js';

type Row = Omit<Selectable<CreatorTables['creator_consent']>, 'number' | 'clerk_id' | 'context' | 'salt'>;

/** An act of consent for its person and for admins. */
export function toConsentRecord(row: Row): ConsentRecord {
  return {
    ...wireFields(row, ['id', 'kind', 'at', 'terms_version', 'terms_sha256', 'terms_url', 'method_of_acceptance']),
    ...wireFields(row, ['accepted_text_snapshot', 'user_agent', 'email']),
  };
}

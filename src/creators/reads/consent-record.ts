import { type Selectable } from 'kysely';
import { type ConsentRecord } from '../../contract/creators.js';
import { type CreatorTables } from '../tables.js';

type Row = Omit<Selectable<CreatorTables['creator_consent']>, 'number' | 'clerk_id' | 'context' | 'salt'>;

/** An act of consent for its person and for admins. */
export function toConsentRecord(row: Row): ConsentRecord {
  return {
    id: row.id,
    kind: row.kind,
    at: row.at.toISOString(),
    terms_version: row.terms_version,
    terms_sha256: row.terms_sha256,
    terms_url: row.terms_url,
    method_of_acceptance: row.method_of_acceptance,
    accepted_text_snapshot: row.accepted_text_snapshot,
    user_agent: row.user_agent,
    email: row.email,
  };
}

import { type SealedTable } from '../platform/acts/sealed-rows.js';

/** An act of consent, as its entry in the log of acts fixes it. What an erasure removes is not in it. */
export const SEALED_CONSENT = {
  table: 'creator_consent',
  id: 'id',
  columns: [
    ...(['id', 'clerk_id', 'kind', 'at', 'context', 'terms_version', 'terms_sha256', 'terms_url'] as const),
    ...(['method_of_acceptance', 'accepted_text_snapshot'] as const),
  ],
} as const satisfies SealedTable;

/** A decision of an admin, as its act fixes it. */
export const SEALED_DECISION = {
  table: 'creator_decision',
  id: 'id',
  columns: [
    ...(['id', 'creator_id', 'kind', 'actor_id', 'decided_at', 'reason', 'identity_verified'] as const),
    ...(['age_verified', 'instagram_verified', 'model'] as const),
  ],
} as const satisfies SealedTable;

/** The payout details of a creator, encrypted. */
export const SEALED_PAYOUT_DETAILS = {
  table: 'creator_payout_details',
  id: 'creator_id',
  columns: ['creator_id', 'key_id', 'sealed', 'changed_at'],
} as const satisfies SealedTable;

import { type Generated } from 'kysely';
import { type Role } from '../contract/roles.js';

export interface IdentityTables {
  app_user: {
    /** Identity provider's user id. */
    id: string;
    email: string | null;
    /** Whether the provider has verified `email`. Null until the user was read from the provider. */
    email_verified: boolean | null;
    /** HMAC-SHA-256 of the normalised address. Null without a verified address, and for one that imitates another. */
    address_hmac: Buffer | null;
    name: string | null;
    image_url: string | null;
    roles: Generated<Role[]>;
    /** When the user was first seen. */
    created_at: Date;
    /** The provider's time of the change that this row shows. Null until the user was read from the provider. */
    updated_at: Date | null;
    /** Set once and never cleared. The row stays, so late tokens and webhooks change nothing. */
    deleted_at: Date | null;
    /** When the erasure of a deleted user began. */
    closing_began_at: Date | null;
    /** Since when the provider has no user with this id; null while it has one. Sessions are refused meanwhile. */
    missing_at: Date | null;
    /** When the provider was last asked for a missing user. */
    looked_up_at: Date | null;
  };
  /** Addresses whose person had the sign-up bonus, or gets it next. A row stays when its user is deleted. */
  bonus_claim: {
    /** As in `app_user`. One user may hold several: each verified address that the user has had since the bonus. */
    address_hmac: Buffer;
    user_id: string;
    claimed_at: Date;
  };
  /** One row, written at the first start. */
  bonus_claim_key: {
    /** Shows whether a key is the one of the claims, without revealing it. */
    fingerprint: string;
    /** Every bonus that was granted since then has a claim. The audit relies on it. */
    since: Date;
  };
}

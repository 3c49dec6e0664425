import { type Generated } from 'kysely';
import { type Role } from './roles.js';

export interface IdentityTables {
  app_user: {
    /** Identity provider's user id. */
    id: string;
    email: string | null;
    name: string | null;
    image_url: string | null;
    roles: Generated<Role[]>;
    /** When we first heard of the user. */
    created_at: Date;
    /** The provider's time of the change that this row shows; null: not read from the provider yet. */
    updated_at: Date | null;
    /** Set once, never cleared: the row stays so that late tokens and webhooks change nothing. */
    deleted_at: Date | null;
  };
}

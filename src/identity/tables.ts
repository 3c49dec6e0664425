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
    /** When the user was first seen. */
    created_at: Date;
    /** The provider's time of the change that this row shows. Null until the user was read from the provider. */
    updated_at: Date | null;
    /** Set once and never cleared. The row stays, so late tokens and webhooks change nothing. */
    deleted_at: Date | null;
  };
}

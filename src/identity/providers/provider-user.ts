import { type UserJSON } from '@clerk/backend';
import { type Role, ROLES } from '../roles.js';

/** What we keep of a user of the identity provider. */
export interface ProviderUser {
  readonly id: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly imageUrl: string | null;
  readonly roles: readonly Role[];
  readonly updatedAt: Date;
}

/** Reads a user as the backend API and the webhooks send one. Roles come from `public_metadata.roles` and nowhere else. */
export function readProviderUser(user: UserJSON): ProviderUser {
  const primary = user.email_addresses.find((address) => address.id === user.primary_email_address_id);
  const name = [user.first_name, user.last_name].filter(Boolean).join(' ');
  return {
    id: user.id,
    email: primary?.email_address ?? null,
    name: name || null,
    imageUrl: user.image_url || null,
    roles: readRoles(user.public_metadata['roles']),
    updatedAt: new Date(user.updated_at),
  };
}

/** Known roles of the list, each once; anything that is not a list of them gives none. */
export function readRoles(value: unknown): Role[] {
  if (!Array.isArray(value)) return [];
  return [...new Set(value.filter((role): role is Role => ROLES.includes(role as Role)))];
}

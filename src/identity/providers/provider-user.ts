import { type UserJSON } from '@clerk/backend';
import { CREATOR_NAME_MAX_LENGTH } from '../../contract/creators.js';
import { type Role, ROLES } from '../../contract/roles.js';

/** The fields of a provider's user that the mirror keeps. */
export interface ProviderUser {
  readonly id: string;
  /** The primary address. */
  readonly email: string | null;
  /** Whether the provider has verified the primary address. */
  readonly emailVerified: boolean;
  readonly name: string | null;
  readonly imageUrl: string | null;
  readonly roles: readonly Role[];
  readonly updatedAt: Date;
}

/** Parses a user of the backend API or of a webhook. Roles come from `public_metadata.roles` only. */
export function readProviderUser(user: UserJSON): ProviderUser {
  const primary = user.email_addresses.find((address) => address.id === user.primary_email_address_id);
  return {
    id: user.id,
    email: primary?.email_address ?? null,
    emailVerified: primary?.verification?.status === 'verified',
    name: [user.first_name, user.last_name].filter(Boolean).join(' ') || signUpName(user.unsafe_metadata),
    imageUrl: user.image_url || null,
    roles: readRoles(user.public_metadata['roles']),
    updatedAt: new Date(user.updated_at),
  };
}

/** The name that a person gave on the creator sign-up page; null for others. The person can change it at any time. */
function signUpName(metadata: Readonly<Record<string, unknown>> | undefined): string | null {
  const { isCreator, signupSource, name } = metadata ?? {};
  if (isCreator !== true || signupSource !== 'creator_portal' || typeof name !== 'string') return null;
  const line = name.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return line.slice(0, CREATOR_NAME_MAX_LENGTH) || null;
}

/** Returns the known roles in a list, each once, and an empty list for any other value. */
export function readRoles(value: unknown): Role[] {
  if (!Array.isArray(value)) return [];
  return [...new Set(value.filter((role): role is Role => ROLES.includes(role as Role)))];
}

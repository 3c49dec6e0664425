import { avatarOf } from '../avatar.js';
import { type UserRecord } from '../state.js';
import { all } from '../../same-fields.js';

/** A verification as Clerk returns it. */
export function verificationView(status: 'verified' | 'unverified', strategy: string, expireAt: number): object {
  return {
    object: 'verification',
    status,
    strategy,
    attempts: status === 'verified' ? 1 : 0,
    expire_at: expireAt,
  };
}

/** The name and picture of a user. */
export function nameView(user: UserRecord) {
  return { first_name: user.firstName, last_name: user.lastName, image_url: avatarOf(user), has_image: false };
}

/** A user as both APIs return it. */
export function userView(user: UserRecord): Record<string, unknown> {
  const name = nameView(user);
  return {
    id: user.id,
    object: 'user',
    ...all(null, 'username locale primary_phone_number_id primary_web3_wallet_id external_id'),
    ...all(null, 'lockout_expires_in_seconds create_organizations_limit mfa_enabled_at mfa_disabled_at'),
    ...all(null, 'legal_accepted_at'),
    ...name,
    profile_image_url: name.image_url,
    ...all(false, 'two_factor_enabled totp_enabled backup_code_enabled banned locked'),
    ...all(false, 'create_organization_enabled'),
    primary_email_address_id: user.emailId,
    password_enabled: true,
    email_addresses: [emailAddressView(user)],
    ...all([], 'phone_numbers web3_wallets passkeys organization_memberships external_accounts saml_accounts'),
    ...all([], 'enterprise_accounts'),
    public_metadata: user.publicMetadata,
    unsafe_metadata: user.unsafeMetadata,
    verification_attempts_remaining: 100,
    delete_self_enabled: true,
    last_sign_in_at: user.lastSignInAt,
    last_active_at: user.lastActiveAt,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
  };
}

/** A user as the backend API and webhooks return it. */
export function withPrivateMetadata(user: UserRecord): Record<string, unknown> {
  return { ...userView(user), private_metadata: user.privateMetadata };
}

/** The user's only address, as both APIs return it. */
export function emailAddressView(user: UserRecord): object {
  return {
    id: user.emailId,
    object: 'email_address',
    email_address: user.email,
    reserved: false,
    verification: verificationView(
      user.emailVerified === false ? 'unverified' : 'verified',
      'email_code',
      user.createdAt,
    ),
    linked_to: [],
    matches_sso_connection: false,
    created_at: user.createdAt,
    updated_at: user.createdAt,
  };
}

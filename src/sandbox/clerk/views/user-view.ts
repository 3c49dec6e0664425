import { avatarOf } from '../avatar.js';
import { type UserRecord } from '../state.js';

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

/** A user as both APIs return it. */
export function userView(user: UserRecord): Record<string, unknown> {
  const avatar = avatarOf(user);
  return {
    id: user.id,
    object: 'user',
    username: null,
    first_name: user.firstName,
    last_name: user.lastName,
    locale: null,
    image_url: avatar,
    profile_image_url: avatar,
    has_image: false,
    primary_email_address_id: user.emailId,
    primary_phone_number_id: null,
    primary_web3_wallet_id: null,
    password_enabled: true,
    two_factor_enabled: false,
    totp_enabled: false,
    backup_code_enabled: false,
    email_addresses: [emailAddressView(user)],
    phone_numbers: [],
    web3_wallets: [],
    passkeys: [],
    organization_memberships: [],
    external_accounts: [],
    saml_accounts: [],
    enterprise_accounts: [],
    public_metadata: user.publicMetadata,
    unsafe_metadata: user.unsafeMetadata,
    external_id: null,
    banned: false,
    locked: false,
    lockout_expires_in_seconds: null,
    verification_attempts_remaining: 100,
    delete_self_enabled: true,
    create_organization_enabled: false,
    create_organizations_limit: null,
    mfa_enabled_at: null,
    mfa_disabled_at: null,
    legal_accepted_at: null,
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

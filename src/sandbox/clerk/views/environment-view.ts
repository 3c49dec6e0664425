import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../passwords.js';
import { all } from '../../same-fields.js';

/** The response of `GET /v1/environment`: the instance's settings, which decide what the widgets show. */
export function environmentView(): object {
  return {
    object: 'environment',
    id: 'env_sandbox',
    maintenance_mode: false,
    auth_config: authConfig,
    display_config: displayConfig,
    user_settings: userSettings,
    organization_settings: organizationSettings,
    commerce_settings: {
      billing: {
        stripe_publishable_key: null,
        user: { enabled: false, has_paid_plans: false },
        organization: { enabled: false, has_paid_plans: false },
      },
    },
    api_keys_settings: { user_api_keys_enabled: false, orgs_api_keys_enabled: false },
    protect_config: { object: 'protect_config', id: 'pc_sandbox' },
  };
}

const attribute = (settings: object = {}): object => ({
  ...all(false, 'enabled required used_for_first_factor used_for_second_factor verify_at_sign_up'),
  ...all([], 'first_factors second_factors verifications'),
  ...settings,
});

const authConfig = {
  object: 'auth_config',
  id: 'aac_sandbox',
  single_session_mode: true,
  claimed_at: null,
  reverification: false,
  preferred_channels: {},
};

const displayConfig = {
  object: 'display_config',
  id: 'dc_sandbox',
  application_name: 'Fanvas',
  instance_environment_type: 'development',
  preferred_sign_in_strategy: 'password',
  branded: false,
  show_devmode_warning: false,
  ...all(null, 'captcha_public_key captcha_widget_type captcha_public_key_invisible'),
  captcha_provider: 'turnstile',
  captcha_oauth_bypass: [],
  sign_in_url: '/sign-in',
  sign_up_url: '/sign-up',
  ...all('/', 'home_url user_profile_url after_sign_in_url after_sign_up_url after_sign_out_one_url'),
  ...all('/', 'after_sign_out_all_url after_switch_session_url'),
  ...all('', 'logo_image_url favicon_image_url support_email waitlist_url after_join_waitlist_url'),
  ...all('', 'organization_profile_url create_organization_url after_leave_organization_url'),
  ...all('', 'after_create_organization_url'),
  theme: {},
  terms_url: '/termsofuse',
  privacy_policy_url: '/privacypolicy',
};

const userSettings = {
  attributes: {
    email_address: attribute({
      enabled: true,
      required: true,
      used_for_first_factor: true,
      first_factors: ['email_code'],
      verifications: ['email_code'],
      verify_at_sign_up: true,
    }),
    password: attribute({ enabled: true, required: true }),
    ...all(attribute(), 'first_name last_name username phone_number web3_wallet authenticator_app backup_code passkey'),
  },
  social: {},
  saml: { enabled: false },
  enterprise_sso: { enabled: false, self_serve_sso: false },
  actions: { delete_self: true, create_organization: false },
  sign_in: { second_factor: { enabled: false, required: false } },
  sign_up: {
    mode: 'public',
    progressive: true,
    ...all(false, 'captcha_enabled allowlist_only legal_consent_enabled custom_action_required'),
  },
  password_settings: {
    min_length: MIN_PASSWORD_LENGTH,
    max_length: MAX_PASSWORD_LENGTH,
    disable_hibp: true,
    ...all(false, 'show_zxcvbn require_special_char require_numbers require_lowercase require_uppercase'),
    min_zxcvbn_strength: 0,
    allowed_special_characters: '',
  },
  passkey_settings: { allow_autofill: false, show_sign_in_button: false },
  username_settings: { min_length: 4, max_length: 64 },
  attack_protection: { enumeration_protection: { enabled: false } },
};

const organizationSettings = {
  enabled: false,
  max_allowed_memberships: 1,
  force_organization_selection: false,
  actions: { admin_delete: false },
  domains: { enabled: false, enrollment_modes: [], default_role: null },
  slug: { disabled: true },
  organization_creation_defaults: { enabled: false },
};

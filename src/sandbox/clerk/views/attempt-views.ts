import { DAY_MS } from '../../../contract/durations.js';
import { type ReverificationRecord, type SignInRecord, type SignUpRecord, type UserRecord } from '../state.js';
import { nameView, verificationView } from './user-view.js';
import { all } from '../../same-fields.js';

const CODE_LIFETIME_MS = 600_000;

export function signUpView(signUp: SignUpRecord, now: number): object {
  const verified = signUp.userId !== null;
  const missing = [signUp.email === null && 'email_address', signUp.passwordHash === null && 'password'];
  return {
    object: 'sign_up',
    id: signUp.id,
    status: verified ? 'complete' : 'missing_requirements',
    required_fields: ['email_address', 'password'],
    optional_fields: ['first_name', 'last_name'],
    missing_fields: missing.filter(Boolean),
    unverified_fields: verified ? [] : ['email_address'],
    verifications: {
      email_address: emailVerification(signUp, verified, now),
      ...all(null, 'phone_number web3_wallet external_account'),
    },
    ...all(null, 'username phone_number web3_wallet external_account external_account_strategy external_id'),
    ...all(null, 'legal_accepted_at locale'),
    email_address: signUp.email,
    has_password: signUp.passwordHash !== null,
    first_name: signUp.firstName,
    last_name: signUp.lastName,
    unsafe_metadata: signUp.unsafeMetadata,
    public_metadata: {},
    custom_action: false,
    created_session_id: signUp.sessionId,
    created_user_id: signUp.userId,
    abandon_at: signUp.createdAt + DAY_MS,
  };
}

/**
 * Before a code is sent the strategy must be empty; otherwise the widget assumes that it was sent and never requests
 * it.
 */
function emailVerification(signUp: SignUpRecord, verified: boolean, now: number): object {
  const strategy = signUp.codeSent || verified ? 'email_code' : '';
  return {
    ...verificationView(verified ? 'verified' : 'unverified', strategy, now + CODE_LIFETIME_MS),
    next_action: verified ? '' : signUp.codeSent ? 'needs_attempt' : 'needs_prepare',
    supported_strategies: ['email_code'],
  };
}

export function signInView(signIn: SignInRecord, user: UserRecord | undefined, now: number): object {
  return {
    object: 'sign_in',
    id: signIn.id,
    status: signIn.status,
    identifier: user?.email ?? null,
    supported_identifiers: ['email_address'],
    supported_first_factors: user ? firstFactors(user) : [],
    ...factorViews(signIn, now),
    user_data: user ? nameView(user) : null,
    created_session_id: signIn.sessionId,
    client_trust_state: null,
    abandon_at: signIn.createdAt + DAY_MS,
  };
}

/**
 * A reverification as the API returns it. The level is always `first_factor`, because no user has a second factor.
 */
export function reverificationView(
  reverification: ReverificationRecord,
  { session, user, now }: { session: object; user: UserRecord; now: number },
): object {
  return {
    object: 'session_verification',
    status: reverification.status,
    level: 'first_factor',
    session,
    supported_first_factors: firstFactors(user).filter(({ strategy }) => strategy !== 'reset_password_email_code'),
    ...factorViews(reverification, now),
  };
}

/** The factors of an attempt. No user has a second factor. */
function factorViews({ factor }: Pick<SignInRecord, 'factor'>, now: number): object {
  return {
    supported_second_factors: [],
    first_factor_verification:
      factor && verificationView(factor.verified ? 'verified' : 'unverified', factor.strategy, now + CODE_LIFETIME_MS),
    second_factor_verification: null,
  };
}

function firstFactors(user: UserRecord): { strategy: string }[] {
  const address = { safe_identifier: user.email, email_address_id: user.emailId, primary: true };
  return [
    { strategy: 'password' },
    { strategy: 'email_code', ...address },
    { strategy: 'reset_password_email_code', ...address },
  ];
}

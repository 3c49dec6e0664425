import { ClerkRefusal, incorrectCode, invalidStrategy, notFound, refusedField } from '../errors.js';
import { newId } from '../ids.js';
import { hashPassword, requirePassword, requireUsablePassword } from '../passwords.js';
import { type FirstFactor, type SignInRecord, type UserRecord } from '../state.js';
import { signInView } from '../views/attempt-views.js';
import { type Exchange } from './exchange.js';
import { EMAIL_CODE, requireField, requireSignedOut } from './forms.js';
import { type AddRoute } from './route.js';

/** Routes of the sign-in with a password or an e-mail code. A code also permits a new password. */
export function signInRoutes(add: AddRoute): void {
  add('POST', '/client/sign_ins', create);
  add('GET', '/client/sign_ins/:signInId', (exchange) => answer(exchange, find(exchange)));
  add('POST', '/client/sign_ins/:signInId/prepare_first_factor', prepare);
  add('POST', '/client/sign_ins/:signInId/attempt_first_factor', attempt);
  add('POST', '/client/sign_ins/:signInId/reset_password', resetPassword);
}

async function create(exchange: Exchange): Promise<unknown> {
  requireSignedOut(exchange);
  const identifier = exchange.form['identifier'];
  const password = exchange.form['password'];
  const user = identifier ? exchange.parts.accounts.byEmail(identifier) : undefined;
  if (identifier && !user) {
    throw refusedField('form_identifier_not_found', "Couldn't find your account.", 'identifier');
  }
  const client = exchange.openClient();
  const signIn: SignInRecord = {
    id: newId('sia'),
    clientId: client.id,
    createdAt: exchange.now,
    status: user ? 'needs_first_factor' : 'needs_identifier',
    userId: user?.id ?? null,
    factor: null,
    sessionId: null,
  };
  exchange.parts.store.state.signIns.set(signIn.id, signIn);
  client.signInId = signIn.id;
  if (user && password !== undefined) {
    await requirePassword(password, user.passwordHash);
    complete(exchange, signIn, user, 'password');
  }
  return answer(exchange, signIn);
}

function prepare(exchange: Exchange): Promise<unknown> {
  const signIn = find(exchange);
  exchange.user(signIn.userId);
  signIn.factor = { strategy: codeStrategy(requireField(exchange, 'strategy')), verified: false };
  return answer(exchange, signIn);
}

async function attempt(exchange: Exchange): Promise<unknown> {
  const signIn = find(exchange);
  const user = exchange.user(signIn.userId);
  const strategy = requireField(exchange, 'strategy');
  if (strategy === 'password') {
    await requirePassword(exchange.form['password'] ?? '', user.passwordHash);
    complete(exchange, signIn, user, 'password');
    return answer(exchange, signIn);
  }
  const factor = codeStrategy(strategy);
  if (signIn.factor?.strategy !== factor || exchange.form['code'] !== EMAIL_CODE) throw incorrectCode();
  if (factor === 'reset_password_email_code') {
    signIn.factor.verified = true;
    signIn.status = 'needs_new_password';
  } else {
    complete(exchange, signIn, user, factor);
  }
  return answer(exchange, signIn);
}

async function resetPassword(exchange: Exchange): Promise<unknown> {
  const signIn = find(exchange);
  const user = exchange.user(signIn.userId);
  if (signIn.status !== 'needs_new_password') {
    throw new ClerkRefusal(422, 'verification_missing', 'Enter the code from the e-mail first.');
  }
  const password = requireField(exchange, 'password');
  requireUsablePassword(password);
  const passwordHash = await hashPassword(password);
  const { accounts } = exchange.parts;
  accounts.update(user, { passwordHash });
  if (exchange.form['sign_out_of_other_sessions'] === 'true') {
    for (const session of accounts.sessionsOf(user.id)) accounts.end(session, 'revoked');
  }
  complete(exchange, signIn, user, 'reset_password_email_code');
  return answer(exchange, signIn);
}

function codeStrategy(strategy: string): Exclude<FirstFactor, 'password'> {
  if (strategy === 'email_code' || strategy === 'reset_password_email_code') return strategy;
  throw invalidStrategy();
}

function complete(exchange: Exchange, signIn: SignInRecord, user: UserRecord, strategy: FirstFactor): void {
  const client = exchange.openClient();
  signIn.factor = { strategy, verified: true };
  signIn.status = 'complete';
  signIn.sessionId = exchange.parts.accounts.startSession(client, user).id;
  client.signInId = null;
}

function find(exchange: Exchange): SignInRecord {
  const signIn = exchange.parts.store.state.signIns.get(exchange.param('signInId'));
  if (!signIn || signIn.clientId !== exchange.client?.id) throw notFound('Sign in');
  const changes = exchange.method !== 'GET';
  if (changes && signIn.status === 'complete') {
    throw new ClerkRefusal(400, 'sign_in_completed', 'This sign-in is complete.');
  }
  return signIn;
}

function answer(exchange: Exchange, signIn: SignInRecord): Promise<unknown> {
  const user = signIn.userId === null ? undefined : exchange.parts.store.state.users.get(signIn.userId);
  return exchange.commitAndAnswer(signInView(signIn, user, exchange.now));
}

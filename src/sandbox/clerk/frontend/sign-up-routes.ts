import { ClerkRefusal, emailTaken, incorrectCode, missingField, notFound } from '../errors.js';
import { newId } from '../ids.js';
import { all } from '../../same-fields.js';
import { hashPassword, requireUsablePassword } from '../passwords.js';
import { type SignUpRecord } from '../state.js';
import { signUpView } from '../views/attempt-views.js';
import { type Exchange } from './exchange.js';
import { EMAIL_CODE, jsonField, requireEmailAddress, requireSignedOut } from './forms.js';
import { type AddRoute } from './route.js';

/** Routes of the sign-up: e-mail address and password, then the code. A correct code creates the account. */
export function signUpRoutes(add: AddRoute): void {
  add('POST', '/client/sign_ups', create);
  add('GET', '/client/sign_ups/:signUpId', (exchange) => answer(exchange, find(exchange)));
  add('POST', '/client/sign_ups/:signUpId', update);
  add('POST', '/client/sign_ups/:signUpId/prepare_verification', prepare);
  add('POST', '/client/sign_ups/:signUpId/attempt_verification', attempt);
}

async function create(exchange: Exchange): Promise<unknown> {
  requireSignedOut(exchange);
  const fields = await readFields(exchange);
  const client = exchange.openClient();
  const signUp: SignUpRecord = {
    id: newId('sua'),
    clientId: client.id,
    createdAt: exchange.now,
    ...all(null, 'email passwordHash firstName lastName userId sessionId'),
    unsafeMetadata: {},
    codeSent: false,
    ...fields,
  };
  exchange.parts.store.state.signUps.set(signUp.id, signUp);
  client.signUpId = signUp.id;
  return answer(exchange, signUp);
}

async function update(exchange: Exchange): Promise<unknown> {
  const signUp = find(exchange);
  const fields = await readFields(exchange);
  // A new address needs a new code.
  if (fields.email !== undefined && fields.email !== signUp.email) signUp.codeSent = false;
  Object.assign(signUp, fields);
  return answer(exchange, signUp);
}

function prepare(exchange: Exchange): Promise<unknown> {
  const signUp = find(exchange);
  if (signUp.email === null) throw new ClerkRefusal(422, 'form_param_missing', 'email_address must be included.');
  signUp.codeSent = true;
  return answer(exchange, signUp);
}

async function attempt(exchange: Exchange): Promise<unknown> {
  const signUp = find(exchange);
  const { email, passwordHash } = signUp;
  if (!signUp.codeSent || email === null) {
    throw new ClerkRefusal(400, 'verification_not_sent', 'Send a verification code before you enter one.', 'code');
  }
  if (exchange.form['code'] !== EMAIL_CODE) throw incorrectCode();
  if (passwordHash === null) throw missingField('password');

  const { accounts, store } = exchange.parts;
  const client = exchange.openClient();
  const user = accounts.create({ ...signUp, email, passwordHash });
  signUp.userId = user.id;
  signUp.sessionId = accounts.startSession(client, user).id;
  client.signUpId = null;
  await store.commit();
  return answer(exchange, signUp);
}

function find(exchange: Exchange): SignUpRecord {
  const signUp = exchange.parts.store.state.signUps.get(exchange.param('signUpId'));
  if (!signUp || signUp.clientId !== exchange.client?.id) throw notFound('Sign up');
  const changes = exchange.method !== 'GET';
  if (changes && signUp.userId !== null) throw new ClerkRefusal(400, 'sign_up_completed', 'This sign-up is complete.');
  return signUp;
}

type SignUpFields = Partial<Pick<SignUpRecord, 'email' | 'passwordHash' | 'firstName' | 'lastName' | 'unsafeMetadata'>>;

async function readFields({ form, parts }: Exchange): Promise<SignUpFields> {
  const fields: SignUpFields = {};
  if (form['email_address']) {
    requireEmailAddress(form['email_address']);
    if (parts.accounts.byEmail(form['email_address'])) throw emailTaken();
    fields.email = form['email_address'].trim().toLowerCase();
  }
  if (form['password'] !== undefined) {
    requireUsablePassword(form['password']);
    fields.passwordHash = await hashPassword(form['password']);
  }
  if (form['first_name']) fields.firstName = form['first_name'];
  if (form['last_name']) fields.lastName = form['last_name'];
  if (form['unsafe_metadata']) fields.unsafeMetadata = jsonField(form['unsafe_metadata'], 'unsafe_metadata');
  return fields;
}

function answer(exchange: Exchange, signUp: SignUpRecord): Promise<unknown> {
  return exchange.commitAndAnswer(signUpView(signUp, exchange.now));
}

import { ClerkRefusal, incorrectCode, invalidStrategy, refusedField } from '../errors.js';
import { requirePassword } from '../passwords.js';
import { type ReverificationRecord, type SessionRecord } from '../state.js';
import { reverificationView } from '../views/attempt-views.js';
import { type Exchange } from './exchange.js';
import { EMAIL_CODE, requireField } from './forms.js';
import { type AddRoute } from './route.js';

/** Routes by which a signed-in user proves their identity again, with the password or an e-mail code. */
export function reverificationRoutes(add: AddRoute): void {
  add('POST', '/client/sessions/:sessionId/verify', start);
  add('POST', '/client/sessions/:sessionId/verify/prepare_first_factor', prepare);
  add('POST', '/client/sessions/:sessionId/verify/attempt_first_factor', attempt);
}

function start(exchange: Exchange): Promise<unknown> {
  const session = exchange.session();
  const level = requireField(exchange, 'level');
  if (!['first_factor', 'second_factor', 'multi_factor'].includes(level)) {
    throw refusedField('form_param_value_invalid', `${level} is not a valid level.`, 'level');
  }
  session.reverification = { status: 'needs_first_factor', factor: null };
  return answer(exchange, session, session.reverification);
}

function prepare(exchange: Exchange): Promise<unknown> {
  const session = exchange.session();
  const reverification = openReverification(session);
  if (requireField(exchange, 'strategy') !== 'email_code') throw invalidStrategy();
  reverification.factor = { strategy: 'email_code', verified: false };
  return answer(exchange, session, reverification);
}

async function attempt(exchange: Exchange): Promise<unknown> {
  const session = exchange.session();
  const reverification = openReverification(session);
  const strategy = requireField(exchange, 'strategy');
  if (strategy === 'password') {
    await requirePassword(exchange.form['password'] ?? '', exchange.user(session.userId).passwordHash);
  } else if (strategy === 'email_code') {
    const sent = reverification.factor?.strategy === 'email_code';
    if (!sent || exchange.form['code'] !== EMAIL_CODE) throw incorrectCode();
  } else {
    throw invalidStrategy();
  }
  reverification.factor = { strategy, verified: true };
  reverification.status = 'complete';
  session.verifiedAt = exchange.now;
  return answer(exchange, session, reverification);
}

function openReverification({ reverification }: SessionRecord): ReverificationRecord {
  if (reverification?.status === 'needs_first_factor') return reverification;
  throw new ClerkRefusal(400, 'verification_missing', 'Start a verification of this session first.');
}

async function answer(
  exchange: Exchange,
  session: SessionRecord,
  reverification: ReverificationRecord,
): Promise<unknown> {
  const { now, origin, parts } = exchange;
  const view = await parts.views.session(session, origin);
  const user = exchange.user(session.userId);
  return exchange.commitAndAnswer(reverificationView(reverification, { session: view, user, now }));
}

import { newId } from '../ids.js';
import { userView } from '../views/user-view.js';
import { type Exchange } from './exchange.js';
import { jsonField } from './forms.js';
import { type AddRoute } from './route.js';

/** Routes of the signed-in user's own account. */
export function accountRoutes(add: AddRoute): void {
  add('GET', '/me', (exchange) => exchange.answer(userView(exchange.signedInUser())));
  add('POST', '/me', (exchange) => (exchange.method === 'DELETE' ? remove(exchange) : update(exchange)));
  add('GET', '/me/sessions/active', activeSessions);
}

function update(exchange: Exchange): Promise<unknown> {
  const user = exchange.signedInUser();
  const { accounts } = exchange.parts;
  const { first_name: firstName, last_name: lastName, unsafe_metadata: unsafeMetadata } = exchange.form;
  accounts.update(user, {
    ...(firstName === undefined ? {} : { firstName: firstName || null }),
    ...(lastName === undefined ? {} : { lastName: lastName || null }),
  });
  if (unsafeMetadata !== undefined) {
    accounts.replaceMetadata(user, { unsafeMetadata: jsonField(unsafeMetadata, 'unsafe_metadata') });
  }
  return exchange.commitAndAnswer(userView(user));
}

function remove(exchange: Exchange): Promise<unknown> {
  const user = exchange.signedInUser();
  exchange.parts.accounts.delete(user);
  return exchange.commitAndAnswer({ object: 'user', id: user.id, deleted: true });
}

/** Unlike the other routes, it responds without the envelope. */
async function activeSessions(exchange: Exchange): Promise<unknown> {
  const user = exchange.signedInUser();
  const { accounts, views } = exchange.parts;
  const sessions = accounts.sessionsOf(user.id).filter((session) => accounts.isActive(session));
  return Promise.all(
    sessions.map(async (session) => ({
      ...(await views.session(session, exchange.origin)),
      latest_activity: { object: 'session_activity', id: newId('sact'), is_mobile: false },
    })),
  );
}

import { type Actor } from '../../platform/acts/actor.js';
import { type AccountSpec, type ClerkSandbox } from '../clerk/index.js';

export const DEMO_PASSWORD = 'fanvas-demo-1';

const account = (name: string, firstName: string, roles: string[]): AccountSpec => ({
  email: `${name}@fanvas.test`,
  password: DEMO_PASSWORD,
  firstName,
  lastName: 'Demo',
  publicMetadata: roles.length > 0 ? { roles } : {},
});

/** Accounts that can sign in from the first start on. */
export const DEMO_ACCOUNTS: readonly AccountSpec[] = [
  account('fan', 'Fay', []),
  account('creator', 'Cara', []),
  account('admin', 'Ada', ['admin']),
  account('finance', 'Finn', ['finance']),
  account('auditor', 'Audra', ['auditor']),
];

/** The demo account of a role, which acts as a person does. */
export async function demoActor(clerk: ClerkSandbox, role: 'admin' | 'finance'): Promise<Actor> {
  const { userId } = await clerk.ensureUser({ email: `${role}@fanvas.test`, password: '' });
  return { userId, role, requestId: null, address: null };
}

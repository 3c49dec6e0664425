import { type AccountSpec } from '../clerk/index.js';

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

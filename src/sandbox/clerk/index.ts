export {
  createClerkSandbox,
  CLERK_SANDBOX_PREFIX,
  type ClerkSandbox,
  type ClerkSandboxOptions,
} from './clerk-sandbox.js';
export { type AccountSpec } from './accounts.js';
export { DEMO_ACCOUNTS, DEMO_PASSWORD } from './demo-accounts.js';
export { EMAIL_CODE } from './frontend/forms.js';

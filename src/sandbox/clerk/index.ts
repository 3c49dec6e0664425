export { createClerkSandbox, CLERK_SANDBOX_PREFIX, type ClerkSandbox } from './clerk-sandbox.js';
export { DEMO_ACCOUNTS, DEMO_PASSWORD } from './demo-accounts.js';
export { EMAIL_CODE } from './frontend/forms.js';

export { type AccountSpec } from './accounts.js';
export { createClerkSandbox, CLERK_SANDBOX_PREFIX, type ClerkSandbox } from './clerk-sandbox.js';
export { EMAIL_CODE } from './frontend/forms.js';

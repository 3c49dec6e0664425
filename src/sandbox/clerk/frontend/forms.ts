import { type JsonObject } from '../../../platform/json.js';
import { ClerkRefusal, missingField, refusedField } from '../errors.js';
import { type Exchange } from './exchange.js';

/** The only valid e-mail code, since the sandbox sends no e-mail. */
export const EMAIL_CODE = '424242';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** A required field. @throws ClerkRefusal when it is missing */
export function requireField(exchange: Exchange, name: string): string {
  const value = exchange.form[name];
  if (value) return value;
  throw missingField(name);
}

/** @throws ClerkRefusal when `email` does not look like an address */
export function requireEmailAddress(email: string): void {
  if (EMAIL.test(email.trim())) return;
  throw refusedField('form_param_format_invalid', 'Email address must be a valid email address.', 'email_address');
}

/** An object that the SDK sends as JSON in a form field. @throws ClerkRefusal when it is not a JSON object */
export function jsonField(text: string, name: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw refusedField('form_param_format_invalid', `${name} must be a JSON object.`, name);
}

/** A browser has one account at a time. @throws ClerkRefusal when a user is signed in */
export function requireSignedOut(exchange: Exchange): void {
  if (exchange.client && exchange.parts.accounts.activeSessions(exchange.client).length > 0) {
    throw new ClerkRefusal(400, 'session_exists', "You're already signed in.");
  }
}

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { type ClerkRefusal, incorrectPassword, refusedField } from './errors.js';

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const KEY_BYTES = 32;

export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 72;

/** `scrypt$<salt>$<key>`, both base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, KEY_BYTES);
  return `scrypt$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/** @throws ClerkRefusal when `password` is not the password of the hash */
export async function requirePassword(password: string, hash: string): Promise<void> {
  if (!(await passwordMatches(password, hash))) throw incorrectPassword();
}

async function passwordMatches(password: string, hash: string): Promise<boolean> {
  const [, salt = '', key = ''] = hash.split('$');
  const expected = Buffer.from(key, 'base64url');
  const actual = await derive(password, Buffer.from(salt, 'base64url'), KEY_BYTES);
  return expected.length === actual.length && timingSafeEqual(actual, expected);
}

/** @throws ClerkRefusal when the password is too short or too long */
export function requireUsablePassword(password: string): void {
  if (password.length < MIN_PASSWORD_LENGTH) throw wrongLength('short', `${MIN_PASSWORD_LENGTH} characters or more`);
  if (password.length > MAX_PASSWORD_LENGTH) throw wrongLength('long', `${MAX_PASSWORD_LENGTH} characters or less`);
}

const wrongLength = (fault: 'short' | 'long', rule: string): ClerkRefusal =>
  refusedField(`form_password_length_too_${fault}`, `Passwords must be ${rule}.`, 'password');

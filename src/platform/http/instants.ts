import { DomainError } from '../domain-error.js';
import { parseInstant } from '../instant.js';

/** A day or an instant that a caller sends. @throws DomainError invalid */
export function instant(text: unknown, name: string, example = '2026-03-10T09:00:00Z'): Date {
  const parsed = typeof text === 'string' ? parseInstant(text) : null;
  if (parsed) return parsed;
  throw new DomainError('invalid', `${name} must be a day or an instant such as ${example}`);
}

/** The same; null when the caller sends none. @throws DomainError invalid */
export function instantOrNow(text: unknown, name: string): Date | null {
  return text === undefined || text === null ? null : instant(text, name);
}

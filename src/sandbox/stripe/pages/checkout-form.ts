import { findCard, groupDigits, type TestCard } from '../cards.js';
import { type Buyer } from '../processor.js';

/** The values of the checkout form's fields. */
export interface Entries {
  readonly email: string;
  readonly number: string;
  readonly expiry: string;
  readonly cvc: string;
  readonly name: string;
}

export type FieldName = keyof Entries;
export type FieldErrors = Partial<Record<FieldName, string>>;

export type Reading =
  | { readonly ok: true; readonly card: TestCard; readonly buyer: Buyer }
  | { readonly ok: false; readonly errors: FieldErrors; readonly entries: Entries };

export const NO_ENTRIES: Entries = { email: '', number: '', expiry: '', cvc: '', name: '' };

/** The form with a test card filled in. */
export function filledWith(card: TestCard, entries: Entries): Entries {
  const name = entries.name || 'Alex Example';
  return { ...entries, number: groupDigits(card.number), expiry: '12 / 34', cvc: '123', name };
}

/** Reads the form. @param email the session's address, which the buyer cannot change; null when the shop gave none */
export function entriesOf(form: URLSearchParams, email: string | null): Entries {
  const read = (name: string): string => (form.get(name) ?? '').trim().slice(0, 320);
  return {
    email: email ?? read('email'),
    number: read('number'),
    expiry: read('expiry'),
    cvc: read('cvc'),
    name: read('name'),
  };
}

/** Validates the form. A number that is not a test card's is not shown again: it might be a real card's. */
export function readForm(entries: Entries, now: Date): Reading {
  const card = findCard(entries.number);
  const errors: FieldErrors = {
    ...(/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(entries.email) ? {} : { email: 'Enter an email address.' }),
    ...(card
      ? {}
      : {
          number:
            entries.number === ''
              ? 'Enter the number of a test card.'
              : 'This is not one of the test cards. Never enter a real card here.',
        }),
    ...expiryError(entries.expiry, now),
    ...(/^\d{3,4}$/.test(entries.cvc) ? {} : { cvc: 'Enter the 3 digits of the security code.' }),
    ...(entries.name === '' ? { name: 'Enter the name on the card.' } : {}),
  };
  if (card && Object.keys(errors).length === 0) {
    return { ok: true, card, buyer: { email: entries.email, name: entries.name } };
  }
  return { ok: false, errors, entries: { ...entries, number: card ? groupDigits(card.number) : '', cvc: '' } };
}

function expiryError(expiry: string, now: Date): FieldErrors {
  const [, month = '', year = ''] = /^(\d{1,2})\s*\/?\s*(\d{2})$/.exec(expiry) ?? [];
  if (!(Number(month) >= 1 && Number(month) <= 12)) return { expiry: 'Enter month and year, such as 12 / 34.' };
  const ended = new Date(Date.UTC(2000 + Number(year), Number(month)));
  return ended <= now ? { expiry: 'This date has passed.' } : {};
}

import { CONTROL_MESSAGES } from '../../contract/creator-controls.js';
import { type TaxStatus } from '../../contract/creators.js';
import { DomainError } from '../../platform/domain-error.js';

/** Payout details in full. */
export interface PayoutFields {
  readonly legal_name: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** An IBAN without spaces, or another account number with its bank code. */
  readonly account: string;
  readonly tax_status: TaxStatus;
}

const LEGAL_NAME_MAX_LENGTH = 200;

/** Codes that are no country: groups of countries, user-assigned and reserved ones. */
const NO_COUNTRY = /^(?:AA|AC|CP|CQ|DG|EA|EU|EZ|IC|TA|UK|UN|Q[M-Z]|X[A-JL-Z]|ZZ)$/;
const REGIONS = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Letters and digits, with the separators that people write. */
const ACCOUNT = /^[A-Z0-9][A-Z0-9 ./-]*[A-Z0-9]$/;
const ACCOUNT_MIN_LENGTH = 6;
const ACCOUNT_MAX_LENGTH = 50;
/** Country, check digits, and 11 to 30 further characters. */
const LIKE_IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** Marks that turn the direction of a text or show nothing. The joiners stay: scripts of names need them. */
const UNSEEN_MARKS = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\p{Cs}]/gu;

/**
 * Payout details as they are stored.
 * @throws DomainError unprocessable that names the wrong field
 */
export function parsePayoutFields(input: PayoutFields): PayoutFields {
  const legalName = input.legal_name
    .normalize('NFC')
    .replace(UNSEEN_MARKS, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (legalName.length > LEGAL_NAME_MAX_LENGTH || !/\p{L}/u.test(legalName)) refuse(CONTROL_MESSAGES.legalName);
  const country = input.country.trim().toUpperCase();
  if (!isCountry(country)) refuse(CONTROL_MESSAGES.country);
  return { legal_name: legalName, country, account: parseAccount(input.account), tax_status: input.tax_status };
}

/** The names of the fields that differ, or of all fields without earlier details. */
export function changedFields(before: PayoutFields | null, after: PayoutFields): (keyof PayoutFields)[] {
  const names = ['legal_name', 'country', 'account', 'tax_status'] as const;
  return names.filter((name) => before?.[name] !== after[name]);
}

/** The part of an account that its owner is shown. */
export function accountEnding(account: string): string {
  return account.replace(/[^A-Z0-9]/g, '').slice(-4);
}

function parseAccount(text: string): string {
  const account = text.trim().replace(/\s+/g, ' ').toUpperCase();
  const joined = account.replaceAll(' ', '');
  if (LIKE_IBAN.test(joined)) {
    if (!hasIbanChecksum(joined)) refuse(CONTROL_MESSAGES.iban);
    return joined;
  }
  const characters = account.replace(/[^A-Z0-9]/g, '').length;
  if (!ACCOUNT.test(account) || characters < ACCOUNT_MIN_LENGTH || account.length > ACCOUNT_MAX_LENGTH) {
    refuse(CONTROL_MESSAGES.account);
  }
  return account;
}

/** ISO 13616: with the first four characters at the end and letters as numbers, the rest of a division by 97 is 1. */
function hasIbanChecksum(iban: string): boolean {
  const digits = [...iban.slice(4), ...iban.slice(0, 4)].map((character) => Number.parseInt(character, 36)).join('');
  let rest = 0;
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}

function isCountry(code: string): boolean {
  return /^[A-Z]{2}$/.test(code) && !NO_COUNTRY.test(code) && REGIONS.of(code) !== undefined;
}

function refuse(message: string): never {
  throw new DomainError('unprocessable', message, { code: '22023' });
}

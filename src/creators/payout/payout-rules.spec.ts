import { describe, expect, it } from '@jest/globals';
import { accountEnding, changedFields, parsePayoutFields, type PayoutFields } from './payout-rules.js';

const FIELDS: PayoutFields = {
  legal_name: 'Juno Abara',
  country: 'DE',
  account: 'DE89370400440532013000',
  tax_status: 'foreign_person',
};

describe('parsePayoutFields', () => {
  it('stores an IBAN without spaces and in capitals', () => {
    const typed = { ...FIELDS, legal_name: '  Juno \n Abara ', country: 'de', account: 'de89 3704 0044 0532 0130 00' };
    expect(parsePayoutFields(typed)).toEqual(FIELDS);
  });

  it('stores a legal name without control and direction marks, and with the joiners of a script', () => {
    const nameOf = (legal_name: string) => parsePayoutFields({ ...FIELDS, legal_name }).legal_name;
    expect(nameOf('\ufeffJuno\u0007\u202eAbara\u200e\u2066')).toBe('Juno Abara');
    expect(nameOf('\ud800Juno Abara')).toBe('Juno Abara');
    expect(nameOf('\u0645\u06cc\u200c\u0631')).toBe('\u0645\u06cc\u200c\u0631');
  });

  it.each(['GB29 NWBK 6016 1331 9268 19', 'FR1420041010050500013M02606', 'NO9386011117947'])(
    'accepts %s',
    (account) => {
      expect(parsePayoutFields({ ...FIELDS, account }).account).toBe(account.replaceAll(' ', ''));
    },
  );

  it.each(['021000021 / 123456789', '123456', '20-00-00 55779911'])('accepts the account number %s', (account) => {
    expect(parsePayoutFields({ ...FIELDS, account }).account).toBe(account);
  });

  it.each(['US', 'DE', 'NG', 'XK', 'TW', 'GB'])('accepts the country %s', (country) => {
    expect(parsePayoutFields({ ...FIELDS, country }).country).toBe(country);
  });

  it.each([
    ['account', 'DE89370400440532013001', 'This IBAN is not valid'],
    ['account', 'DE98370400440532013000', 'This IBAN is not valid'],
    ['account', '12345', 'Enter an IBAN, or an account number'],
    ['account', '- - - - - -', 'Enter an IBAN, or an account number'],
    ['account', '1'.repeat(51), 'Enter an IBAN, or an account number'],
    ['account', '123456<b>', 'Enter an IBAN, or an account number'],
    ['legal_name', ' ', 'Enter your legal name'],
    ['legal_name', 'x'.repeat(201), 'Enter your legal name'],
    ['country', 'XX', 'Enter the two letters of a country'],
    ['country', 'EU', 'Enter the two letters of a country'],
    ['country', 'Germany', 'Enter the two letters of a country'],
    ['country', '', 'Enter the two letters of a country'],
  ])('refuses %s "%s"', (field, value, message) => {
    expect(() => parsePayoutFields({ ...FIELDS, [field]: value })).toThrow(message);
  });
});

describe('changedFields', () => {
  it('names all fields of the first details, and later those that differ', () => {
    expect(changedFields(null, FIELDS)).toEqual(['legal_name', 'country', 'account', 'tax_status']);
    expect(changedFields(FIELDS, { ...FIELDS, country: 'US', account: '123456' })).toEqual(['country', 'account']);
    expect(changedFields(FIELDS, { ...FIELDS })).toEqual([]);
  });
});

describe('accountEnding', () => {
  it('shows the last four characters without separators', () => {
    expect(accountEnding('021000021 / 12345678-9')).toBe('6789');
    expect(accountEnding('DE89370400440532013000')).toBe('3000');
  });
});

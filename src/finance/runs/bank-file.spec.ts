import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../../platform/domain-error.js';
import { parseBankFile } from './bank-file.js';
import { referenceOf } from './payout-ids.js';

const TODAY = '2026-11-20';
const PAYOUT = '019cd6f1-1b90-7c04-8a9e-6f1d2f3b7a66';
const LINE = `${referenceOf(PAYOUT)},120.50,2026-11-03,TRX 1`;
const problemOf = (text: string): string => {
  try {
    parseBankFile(text, TODAY);
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
  return 'none';
};

describe('parseBankFile', () => {
  it('reads lines with and without a header, quotes, a mark and Windows line ends', () => {
    const expected = { payoutId: PAYOUT, amountCents: 12_050, bankReference: 'TRX 1', paidOn: '2026-11-03' };
    const quoted = LINE.split(',')
      .map((field) => `"${field}"`)
      .join(',');
    expect(parseBankFile(LINE, TODAY)).toEqual([{ line: 1, ...expected }]);
    expect(
      parseBankFile(`\uFEFFreference,amount,paid_on,bank_reference\r\n${quoted}\r\n\r\n${LINE}\r\n`, TODAY),
    ).toEqual([
      { line: 2, ...expected },
      { line: 4, ...expected },
    ]);
  });

  it('reads 20,000 lines', () => {
    expect(parseBankFile(`${LINE}\n`.repeat(20_000), TODAY)).toHaveLength(20_000);
  });

  it.each([
    ['', 'The file has no transfer.'],
    ['\n'.repeat(4_000_000), 'The file has more than 20000 lines.'],
    [`${LINE}\n`.repeat(20_001), 'The file has more than 20000 lines.'],
    [`"${'a'.repeat(3_000_000)}",120.50,2026-11-03,TRX 1`, 'Line 1: it is too long.'],
    [`${LINE}\n${'"",'.repeat(1_000_000)}`, 'Line 2: it is too long.'],
    [`${LINE},`, 'Line 1: it must have reference, amount, paid_on and bank_reference.'],
    [LINE.replace('120.50', '0.00'), 'Line 1: the amount must be positive dollars with two decimals, such as 120.50.'],
    [LINE.replace('120.50', '50'), 'Line 1: the amount must be positive dollars with two decimals, such as 120.50.'],
    [`${LINE}\nx,1.00,2026-11-03,b`, 'Line 2: the reference is not one of a payout.'],
    [LINE.replace('-11-03', '-02-30'), 'Line 1: paid_on must be a day such as 2026-11-03, not in the future.'],
    [LINE.replace('-11-03', '-11-21'), 'Line 1: paid_on must be a day such as 2026-11-03, not in the future.'],
    [LINE.replace('TRX', '=TRX'), 'Line 1: the bank reference must have 1 to 80 letters, digits or ./:+-'],
  ])('names what is wrong in file %#', (file, problem) => {
    expect(problemOf(file)).toBe(problem);
  });
});

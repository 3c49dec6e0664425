import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bankLine, csvLine } from './csv.js';

/** The cells of one line of RFC 4180. */
function cellsOf(line: string): string[] {
  const cells = Array.from(`,${line.slice(0, -2)}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g));
  return cells.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}

const text = fc.oneof(
  fc.string(),
  fc.tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r'), fc.string()).map(([first, rest]) => first + rest),
);

describe('csvLine', () => {
  it('never writes a cell that a spreadsheet runs, and loses nothing else', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), (values) => {
        const cells = cellsOf(csvLine(values));
        expect(cells).toHaveLength(values.length);
        for (const [index, cell] of cells.entries()) {
          const value = values[index] ?? '';
          expect(cell === value || cell === `'${value}`).toBe(true);
          expect(/^[=+\-@\t\r]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell)).toBe(false);
        }
      }),
    );
  });

  it('keeps numbers, also negative ones, and writes nothing for null', () => {
    expect(csvLine([-5, '-0.50', 12, true, null])).toBe('-5,-0.50,12,true,\r\n');
  });
});

describe('bankLine', () => {
  it('writes a name that begins with a hyphen unchanged, and no other formula', () => {
    expect(bankLine(['-Abara, Juno', '-Juno', '=1+1', '+1 a', '@a'])).toBe(`"-Abara, Juno",-Juno,'=1+1,'+1 a,'@a\r\n`);
  });
});

import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SplicedGzip } from './spliced-gzip.js';

describe('SplicedGzip', () => {
  it('unzips to the pieces with the texts between them, for any pieces and texts', async () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ maxLength: 20 }).map((text) => text.repeat(500)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 5 }),
        fc.array(fc.string()),
        async (pieces, texts) => {
          const spliced = await SplicedGzip.of(pieces);
          const between = pieces.slice(1).map((_, index) => texts[index] ?? '');
          const expected = Buffer.concat(
            pieces.flatMap((each, at) => [Buffer.from(each), Buffer.from(between[at] ?? '')]),
          );
          // Twice: the pieces are used again and again.
          for (const zipped of [spliced.with(between), spliced.with(between)]) {
            expect(gunzipSync(zipped).equals(expected)).toBe(true);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('refuses a text that no stored block can hold', async () => {
    const spliced = await SplicedGzip.of(['a', 'b']);
    expect(gunzipSync(spliced.with(['x'.repeat(65_535)])).length).toBe(65_537);
    expect(() => spliced.with(['x'.repeat(65_536)])).toThrow('does not fit');
  });
});

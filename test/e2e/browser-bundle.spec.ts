import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

/** Texts of class-validator and of decorators' metadata that a minifier keeps. */
const MARKS = ['classValidatorMetadataStorage', 'design:type'];

/** The marks in the scripts of a folder of the build. */
function marksIn(folder: string): string[] {
  const files = readdirSync(join(dist, folder), { recursive: true, encoding: 'utf8' });
  const code = files
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join(dist, folder, file), 'utf8'));
  return MARKS.filter((mark) => code.some((text) => text.includes(mark)));
}

it('keeps the validation of requests out of the scripts of the browser', () => {
  expect(marksIn('server')).toEqual(MARKS);
  expect(marksIn('web')).toEqual([]);
});

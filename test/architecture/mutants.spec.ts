import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { RULE_FILES } from '../../scripts/lib/rule-files.mjs';
import { EQUIVALENT } from '../mutants/equivalent.mjs';
import { HAND_MUTANTS } from '../mutants/hand.mjs';

const pathOf = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url));

describe('test/mutants/hand.mjs', () => {
  it.each(HAND_MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
    'still applies %s to the code',
    (_name, mutant) => {
      expect(readFileSync(pathOf(mutant.file), 'utf8').split(mutant.from)).toHaveLength(2);
    },
  );
});

describe('npm run mutate', () => {
  it.each([
    ['scripts/lib/rule-files.mjs', RULE_FILES],
    ['test/mutants/equivalent.mjs', EQUIVALENT.map(({ file }) => file)],
  ])('finds each file that %s names', (_list, files) => {
    expect(files.filter((file) => !existsSync(pathOf(file)))).toEqual([]);
  });

  it('still finds the code of each equivalent change', () => {
    const oneLine = (text: string): string => text.replace(/\s+/g, '');
    const gone = EQUIVALENT.filter(
      ({ file, from }) => !oneLine(readFileSync(pathOf(file), 'utf8')).includes(oneLine(from)),
    );
    expect(gone.map(({ file, from }) => `${file}: ${from}`)).toEqual([]);
  });
});

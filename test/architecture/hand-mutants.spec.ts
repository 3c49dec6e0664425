import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { HAND_MUTANTS } from '../mutants/hand.mjs';

describe('test/mutants/hand.mjs', () => {
  it.each(HAND_MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
    'still applies %s to the code',
    (_name, mutant) => {
      const text = readFileSync(fileURLToPath(new URL(`../../${mutant.file}`, import.meta.url)), 'utf8');
      expect(text.split(mutant.from)).toHaveLength(2);
    },
  );
});

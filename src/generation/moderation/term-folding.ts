import {
  remapCharactersTransformer,
  resolveConfusablesTransformer,
  type SimpleTransformerContainer,
  toAsciiLowerCaseTransformer,
} from 'obscenity';

/** Letters that English words double. A run of any other letter counts as one. */
export const DOUBLED = 'beolsg';

/** Digits and signs that replace letters inside a word. Brackets and slashes separate words instead. */
const LEET = { a: '@4', b: '8', e: '3', g: '69', i: '1', o: '0', s: '5$', t: '7', z: '2' };

/** Undo disguises of single characters: look-alikes, capitals, and digits and signs in place of letters. */
const CHARACTER_TRANSFORMERS: readonly SimpleTransformerContainer[] = [
  resolveConfusablesTransformer(),
  toAsciiLowerCaseTransformer(),
  remapCharactersTransformer(LEET),
];

/** The text with all characters folded. Both sides of a comparison must be folded. */
export function foldCharacters(text: string): string {
  let folded = '';
  for (const character of text) {
    let code: number | undefined = character.codePointAt(0);
    for (const { transform } of CHARACTER_TRANSFORMERS) code = code === undefined ? undefined : transform(code);
    if (code !== undefined) folded += String.fromCodePoint(code);
  }
  return folded;
}

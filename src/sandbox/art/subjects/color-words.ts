import { type Hex } from '../color.js';

/** The eleven basic colours of English, and the words that name them. */
export const COLORS = {
  red: { hex: '#d4322c', words: 'red crimson scarlet ruby vermilion cherry' },
  orange: { hex: '#ef7d22', words: 'orange tangerine apricot amber coral ginger' },
  yellow: { hex: '#f5c52c', words: 'yellow gold golden lemon mustard' },
  green: { hex: '#3a9a52', words: 'green emerald jade mint lime olive' },
  blue: { hex: '#2d6bd2', words: 'blue navy azure cobalt turquoise teal indigo cyan sapphire' },
  purple: { hex: '#7b45b5', words: 'purple violet lavender lilac plum magenta' },
  pink: { hex: '#f086b4', words: 'pink rose-coloured blush fuchsia salmon' },
  brown: { hex: '#83502f', words: 'brown chestnut chocolate bronze copper rust' },
  black: { hex: '#26232a', words: 'black ebony' },
  white: { hex: '#f6f2ea', words: 'white ivory cream' },
  grey: { hex: '#8c9197', words: 'grey gray silver' },
} as const satisfies Record<string, { readonly hex: Hex; readonly words: string }>;

/** The name of a colour. */
export type ColorName = keyof typeof COLORS;

const NAMES = new Map(
  Object.entries(COLORS).flatMap(([name, { words }]) =>
    words.split(' ').map((word) => [word, name as ColorName] as const),
  ),
);

/** The basic colour that a word names. */
export const colorNamed = (word: string): ColorName | undefined => NAMES.get(word);

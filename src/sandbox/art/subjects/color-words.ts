import { type Hex } from '../color.js';

/** The eleven basic colours of English. */
export const COLORS = {
  red: '#d4322c',
  orange: '#ef7d22',
  yellow: '#f5c52c',
  green: '#3a9a52',
  blue: '#2d6bd2',
  purple: '#7b45b5',
  pink: '#f086b4',
  brown: '#83502f',
  black: '#26232a',
  white: '#f6f2ea',
  grey: '#8c9197',
} as const satisfies Record<string, Hex>;

/** The name of a colour. */
export type ColorName = keyof typeof COLORS;

const WORDS: Readonly<Record<ColorName, string>> = {
  red: 'red crimson scarlet ruby vermilion cherry',
  orange: 'orange tangerine apricot amber coral ginger',
  yellow: 'yellow gold golden lemon mustard',
  green: 'green emerald jade mint lime olive',
  blue: 'blue navy azure cobalt turquoise teal indigo cyan sapphire',
  purple: 'purple violet lavender lilac plum magenta',
  pink: 'pink rose-coloured blush fuchsia salmon',
  brown: 'brown chestnut chocolate bronze copper rust',
  black: 'black ebony',
  white: 'white ivory cream',
  grey: 'grey gray silver',
};

const NAMES = new Map(
  Object.entries(WORDS).flatMap(([name, words]) => words.split(' ').map((word) => [word, name as ColorName] as const)),
);

/** The basic colour that a word names. */
export const colorNamed = (word: string): ColorName | undefined => NAMES.get(word);

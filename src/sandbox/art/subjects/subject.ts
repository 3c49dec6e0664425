import { darken, lighten } from '../color.js';
import { at, group, type Drawing } from '../svg.js';
import { COLORS, type ColorName } from './color-words.js';

/** The colours of one drawing. `main` is the colour that the prompt names, or the subject's usual one. */
export type Ink = ReturnType<typeof inkOf>;

/** Draws a subject inside a square from -100 to 100, standing on the lower edge. */
type Sketch = (ink: Ink) => Drawing;

/** A thing that can be drawn in every style. */
export interface Subject {
  readonly name: string;
  /** Words of a prompt that select it, singular and plural. */
  readonly words: readonly string[];
  readonly usual: readonly [main: ColorName, second: ColorName];
  /** Things of the air are drawn higher. */
  readonly place: 'ground' | 'air';
  readonly draw: Sketch;
}

/** Makes a subject from its words, separated by spaces. The first is its name; the colours are the usual ones. */
type SubjectMaker = (words: string, main: ColorName, second: ColorName, draw: Sketch) => Subject;

const subjectAt =
  (place: Subject['place']): SubjectMaker =>
  (text, main, second, draw) => {
    const words = text.split(' ');
    return { name: words[0] ?? text, words, usual: [main, second], place, draw };
  };

/** A subject on the ground. */
export const onGround = subjectAt('ground');

/** A subject in the air. */
export const inAir = subjectAt('air');

/** A drawing and its mirror image on the other side. */
export const mirrored = (content: Drawing): Drawing => [content, group(content, at(0, 0, 0, -1, 1))];

/** The colours of a drawing in the two given ones. */
export function inkOf(main: ColorName, second: ColorName) {
  const { hex } = COLORS[main];
  return {
    main: hex,
    dark: darken(hex, main === 'black' ? 0.5 : 0.28),
    light: lighten(hex, main === 'black' ? 0.18 : 0.35),
    second: COLORS[second].hex,
    line: '#2a2326',
    pale: '#f8eedc',
    leaf: '#2f7d4f',
    wood: '#7a4a2b',
    glow: '#ffd45e',
  } as const;
}

import { describe, expect, it, jest } from '@jest/globals';
import sharp from 'sharp';
import { Random } from '../random.js';
import { ART_STYLES, renderArt } from '../index.js';
import { textOf } from '../svg.js';
import { readTheme } from '../theme.js';
import { COLORS, type ColorName } from './color-words.js';
import { SUBJECTS, subjectsOf } from './index.js';
import { inkOf } from './subject.js';

// Drawing is up to ten times slower on a busy machine.
jest.setTimeout(60_000);

const NAMES = Object.keys(COLORS) as ColorName[];

const named = (prompt: string): readonly { name: string; main: string; second: string; count: number }[] =>
  subjectsOf(readTheme(prompt, new Random(1))).map(({ subject, main, second, count }) => ({
    name: subject.name,
    main,
    second,
    count,
  }));

/** Edge of one drawing in pixels. */
const CELL = 32;

/** Every drawing alone as RGBA, `CELL` pixels square, in the given or its usual colour. One rendering for all. */
async function drawAll(color?: ColorName): Promise<readonly Buffer[]> {
  const cells = SUBJECTS.map((subject, i) => {
    const content = textOf(subject.draw(inkOf(color ?? subject.usual[0], subject.usual[1])));
    return `<svg y="${i * CELL}" width="${CELL}" height="${CELL}" viewBox="-112 -112 224 224">${content}</svg>`;
  });
  const height = SUBJECTS.length * CELL;
  const sheet = `<svg xmlns="http://www.w3.org/2000/svg" width="${CELL}" height="${height}">${cells.join('')}</svg>`;
  const pixels = await sharp(Buffer.from(sheet)).ensureAlpha().raw().toBuffer();
  const size = CELL * CELL * 4;
  return SUBJECTS.map((_, i) => pixels.subarray(i * size, (i + 1) * size));
}

/** The basic colour that is nearest to a pixel. */
function nearest(r: number, g: number, b: number): ColorName {
  const distance = (name: ColorName): number => {
    const value = Number.parseInt(COLORS[name].hex.slice(1), 16);
    return Math.hypot(r - (value >> 16), g - ((value >> 8) & 255), b - (value & 255));
  };
  return NAMES.reduce((best, name) => (distance(name) < distance(best) ? name : best));
}

/** The share of the painted pixels that have the given colour, and of all pixels that are painted. */
function coverage(pixels: Buffer, main: ColorName): { readonly colored: number; readonly painted: number } {
  let painted = 0;
  let colored = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    const [r = 0, g = 0, b = 0, alpha = 0] = pixels.subarray(i, i + 4);
    if (alpha < 128) continue;
    painted += 1;
    if (nearest(r, g, b) === main) colored += 1;
  }
  return { colored: colored / painted, painted: painted / (pixels.length / 4) };
}

describe('subjectsOf', () => {
  it('knows at least 40 subjects and 11 colours, each word once', () => {
    const words = SUBJECTS.flatMap((subject) => subject.words);
    expect(SUBJECTS.length).toBeGreaterThanOrEqual(40);
    expect(NAMES).toHaveLength(11);
    expect(new Set(words).size).toBe(words.length);
  });

  it.each([
    ['red rocket', [{ name: 'rocket', main: 'red', second: 'white', count: 1 }]],
    ['blue tulips', [{ name: 'tulip', main: 'blue', second: 'yellow', count: 1 }]],
    ['lighthouse', [{ name: 'lighthouse', main: 'red', second: 'white', count: 1 }]],
    ['a green and purple wooden boat', [{ name: 'boat', main: 'green', second: 'purple', count: 1 }]],
    ['three violet owls at night', [{ name: 'owl', main: 'purple', second: 'yellow', count: 3 }]],
    [
      'a white cat under a yellow umbrella',
      [
        { name: 'cat', main: 'white', second: 'pink', count: 1 },
        { name: 'umbrella', main: 'yellow', second: 'white', count: 1 },
      ],
    ],
    [
      'a red rocket over blue tulips near a lighthouse',
      [
        { name: 'rocket', main: 'red', second: 'white', count: 1 },
        { name: 'tulip', main: 'blue', second: 'yellow', count: 1 },
        { name: 'lighthouse', main: 'red', second: 'white', count: 1 },
      ],
    ],
    ['pink ice cream', [{ name: 'icecream', main: 'pink', second: 'brown', count: 1 }]],
    ['two hundred hopes', []],
    ['', []],
  ])('reads "%s"', (prompt, subjects) => {
    expect(named(prompt)).toEqual(subjects);
  });

  it('finds every subject by each of its words', () => {
    for (const subject of SUBJECTS)
      for (const word of subject.words)
        expect(named(`a ${word === 'icecream' ? 'ice cream' : word} somewhere`)[0]?.name).toBe(subject.name);
  });
});

describe('SUBJECTS', () => {
  it('gives every subject a shape of its own that fills its square', async () => {
    const shapes = await drawAll();
    for (const [i, pixels] of shapes.entries()) {
      const { painted } = coverage(pixels, 'red');
      expect({ name: SUBJECTS[i]?.name, fits: painted > 0.08 && painted < 0.8 }).toEqual({
        name: SUBJECTS[i]?.name,
        fits: true,
      });
      for (const other of shapes.slice(i + 1)) expect(pixels.equals(other)).toBe(false);
    }
  });

  it.each(NAMES)('draws every subject in %s', async (color) => {
    const colorless = (await drawAll(color))
      .map((pixels, i) => ({ name: SUBJECTS[i]?.name, colored: coverage(pixels, color).colored }))
      .filter(({ colored }) => colored < 0.1);
    expect(colorless).toEqual([]);
  });
});

describe('renderArt', () => {
  it.each(ART_STYLES)('draws the subject of the prompt in %s', async (style) => {
    const middle = async (prompt: string): Promise<number> => {
      const picture = await renderArt({ style, prompt, seed: 4, width: 96, height: 96 });
      const pixels = await sharp(picture)
        .extract({ left: 34, top: 24, width: 28, height: 48 })
        .ensureAlpha()
        .raw()
        .toBuffer();
      return coverage(pixels, 'red').colored;
    };
    expect(await middle('red rocket')).toBeGreaterThan((await middle('blue rocket')) + 0.15);
  });
});

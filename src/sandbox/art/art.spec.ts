import { describe, expect, it, jest } from '@jest/globals';
import sharp from 'sharp';
import { DEMO_CREATORS } from '../demo/demo-roster.js';
import { Random } from './random.js';
import { readTheme, type Theme } from './theme.js';
import { ART_STYLES, type ArtStyle, drawArt, renderArt, renderPortrait } from './index.js';

// Drawing is up to ten times slower on a busy machine.
jest.setTimeout(30_000);

const draw = (style: ArtStyle, prompt: string, seed = 1, width = 96, height = 96): Promise<Buffer> =>
  renderArt({ style, prompt, seed, width, height });

/** A picture as 24 by 24 greys. */
const inGrey = (picture: Buffer): Promise<Buffer> => sharp(picture).greyscale().resize(24).raw().toBuffer();

/** Mean difference of two pictures in grey, 0 to 255. */
const difference = (a: Buffer, b: Buffer): number =>
  a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length;

describe('renderArt', () => {
  it.each(ART_STYLES)('draws %s deterministically and in the requested size', async (style) => {
    const [first, second] = await Promise.all([
      draw(style, 'two moons over the sea', 7, 96, 128),
      draw(style, 'two moons over the sea', 7, 96, 128),
    ]);
    expect(first.equals(second)).toBe(true);
    expect(await sharp(first).metadata()).toMatchObject({ format: 'png', width: 96, height: 128, channels: 3 });
  });

  it.each(ART_STYLES)('draws %s for unusual prompts and seeds', async (style) => {
    const prompts = [
      '',
      '!!!',
      '<svg onload="x">&"\'',
      '夜の海',
      'three '.repeat(200),
      'zero',
      'rain snow fog wind night',
    ];
    for (const [i, prompt] of prompts.entries()) {
      expect((await draw(style, prompt, i * 31 - 1, 64, 64)).length).toBeGreaterThan(500);
    }
  });

  it.each(DEMO_CREATORS.map(({ artStyle, galleryPrompts }) => [artStyle, galleryPrompts] as const))(
    'draws clearly different pictures for the prompts of the %s gallery',
    async (style, prompts) => {
      const pictures = await Promise.all(prompts.map(async (prompt) => inGrey(await draw(style, prompt))));
      const distances = pictures.flatMap((a, i) => pictures.slice(i + 1).map((b) => difference(a, b)));
      expect(Math.min(...distances)).toBeGreaterThan(6);
      expect(distances.reduce((sum, d) => sum + d, 0) / distances.length).toBeGreaterThan(25);
    },
  );

  it.each(ART_STYLES)('draws snow in the style %s when the prompt names it, and none otherwise', (style) => {
    const flakes = (prompt: string): number => {
      const content = drawArt({ style, prompt, seed: 3, width: 96, height: 96 });
      return content.match(/<circle [^>]*fill="#ffffff" stroke=/g)?.length ?? 0;
    };
    expect(flakes('a red fox in snow')).toBeGreaterThan(100);
    expect(flakes('a red fox at noon')).toBe(0);
  });

  it('reads the last word of a sentence without its full stop', () => {
    const themeOf = (prompt: string): Theme => readTheme(prompt, new Random(1));
    expect(themeOf('It runs. A red fox.').words).toEqual(['it', 'runs', 'a', 'red', 'fox']);
    expect(themeOf('harbour district, 3 a.m., rain')).toMatchObject({ time: 'night', weather: 'rain' });
  });

  it('takes its colours from the words of the prompt', async () => {
    const meanOf = async (prompt: string): Promise<readonly number[]> =>
      (await sharp(await draw('landscape', prompt)).stats()).channels.map(({ mean }) => mean);
    const [red = 0, , blue = 0] = await meanOf('ocean ridge at noon');
    expect(blue).toBeGreaterThan(red + 10);
    const [warmRed = 0, , warmBlue = 0] = await meanOf('copper canyon ridge at noon');
    expect(warmRed).toBeGreaterThan(warmBlue + 10);
    const night = await meanOf('ridge at night');
    const day = await meanOf('ridge at noon');
    expect(Math.max(...night)).toBeLessThan(Math.min(...day));
  });
});

describe('renderPortrait', () => {
  it('draws the same person for the same name and looks, as small as asked', async () => {
    const looks = { palette: 0, hair: 2, accessory: 2 };
    expect(await sharp(await renderPortrait('junoabara', looks)).metadata()).toMatchObject({
      width: 1024,
      height: 1280,
    });
    const small = await renderPortrait('junoabara', looks, 320);
    expect(await sharp(small).metadata()).toMatchObject({ width: 256, height: 320 });
    expect((await renderPortrait('junoabara', looks, 320)).equals(small)).toBe(true);
  });
});

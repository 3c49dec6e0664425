/**
 * `node scripts/fonts.mjs`: cuts the typefaces of their packages to the glyphs and axes that the web app uses, and
 * writes them to web/src/styles/fonts. Run it after an update of a package or a change of the weights.
 *
 *   node scripts/fonts.mjs --check   only compares: fails when a committed file is not what this script makes
 */
import './lib/node-version.mjs';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';
import { runScript, say, StepFailed } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { root } from './lib/run.mjs';

const folder = join(root, 'web', 'src', 'styles', 'fonts');
const display = dirname(fileURLToPath(import.meta.resolve('@fontsource-variable/special-gothic/package.json')));
const text = dirname(fileURLToPath(import.meta.resolve('@fontsource-variable/hanken-grotesk/package.json')));

/**
 * Latin-1 and the punctuation, arrows and currencies of the interface. main.css names the same ranges.
 * @type {[number, number][]}
 */
const LATIN = [
  [0x20, 0x7e],
  [0xa0, 0xff],
  [0x131, 0x131],
  [0x152, 0x153],
  [0x2bb, 0x2bc],
  [0x2c6, 0x2c6],
  [0x2da, 0x2da],
  [0x2dc, 0x2dc],
  [0x2000, 0x206f],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2190, 0x2193],
  [0x2212, 0x2212],
];
/**
 * Names and prompts in other languages of Europe. The browser loads this part only for a page that needs it.
 * @type {[number, number][]}
 */
const LATIN_EXTENDED = [
  [0x100, 0x130],
  [0x132, 0x151],
  [0x154, 0x24f],
  [0x1e00, 0x1e9f],
  [0x20a0, 0x20ab],
  [0x20ad, 0x20c0],
];
/** Loaded like {@link LATIN_EXTENDED}. @type {[number, number][]} */
const VIETNAMESE = [
  [0x300, 0x309],
  [0x323, 0x323],
  [0x329, 0x329],
  [0x1ea0, 0x1ef9],
];

/** The width and weight of the utility `display`; it is never set in another one. */
const DISPLAY = { wdth: 75, wght: 600 };
/** The lightest and the boldest text of the app. */
const TEXT = { wght: { min: 400, max: 700 } };

const fonts = [
  {
    folder: display,
    from: 'files/special-gothic-latin-wdth-normal',
    to: 'display-latin',
    axes: DISPLAY,
    ranges: LATIN,
  },
  {
    folder: display,
    from: 'files/special-gothic-latin-ext-wdth-normal',
    to: 'display-latin-ext',
    axes: DISPLAY,
    ranges: LATIN_EXTENDED,
  },
  { folder: text, from: 'files/hanken-grotesk-latin-wght-normal', to: 'text-latin', axes: TEXT, ranges: LATIN },
  {
    folder: text,
    from: 'files/hanken-grotesk-latin-ext-wght-normal',
    to: 'text-latin-ext',
    axes: TEXT,
    ranges: LATIN_EXTENDED,
  },
  {
    folder: text,
    from: 'files/hanken-grotesk-vietnamese-wght-normal',
    to: 'text-vietnamese',
    axes: TEXT,
    ranges: VIETNAMESE,
  },
];

/** @param {[number, number][]} ranges */
const textOf = (ranges) =>
  ranges
    .flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)))
    .join('');

await runScript(async () => {
  await ensureDependencies();
  mkdirSync(folder, { recursive: true });
  for (const { folder: source, from, to, axes, ranges } of fonts) {
    const original = readFileSync(join(source, `${from}.woff2`));
    const cut = await subsetFont(original, textOf(ranges), { targetFormat: 'woff2', variationAxes: axes });
    const path = join(folder, `${to}.woff2`);
    if (process.argv.includes('--check')) {
      if (!readFileSync(path).equals(cut)) throw new StepFailed(`${to}.woff2 is not what scripts/fonts.mjs makes.`);
    } else {
      writeFileSync(path, cut);
      say(`${to}: ${original.length} bytes to ${cut.length}`);
    }
  }
});

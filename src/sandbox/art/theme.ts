import { type Random } from './random.js';

export type TimeOfDay = 'dawn' | 'day' | 'dusk' | 'night';
export type Weather = 'clear' | 'rain' | 'snow' | 'fog' | 'wind';

/** The properties that a prompt's words select. The seed chooses the others. */
export interface Theme {
  readonly words: readonly string[];
  /** Main hue in degrees of OKLCH. */
  readonly hue: number;
  /** From a second colour word; without one, a hue near the first or opposite to it. */
  readonly secondHue: number;
  /** True when a word of the prompt selects the main hue. */
  readonly hueIsNamed: boolean;
  readonly time: TimeOfDay;
  readonly weather: Weather;
  /** A number in the prompt ("two moons"), up to twelve. */
  readonly count: number | null;
}

/** Word stems and the hue that they select. */
const HUES: readonly (readonly [hue: number, words: string])[] = [
  [27, 'red fire flame blood cherry scarlet poppy poppies tiger brick chilli strawberry'],
  [45, 'sunset dusk ember coral peach autumn fox rust terracotta dahlia brass'],
  [60, 'orange copper apricot amber desert canyon tangerine pumpkin opera'],
  [85, 'gold golden sunrise honey wheat sand straw lamp harvest dawn august'],
  [105, 'yellow lemon lemonade mustard sunflower canary banana'],
  [130, 'lime pear spring meadow field moss'],
  [150, 'green forest garden greenhouse fern leaf leaves ivy jungle emerald cactus'],
  [172, 'mint jade sage pistachio lagoon'],
  [195, 'teal turquoise pool swimming aqua'],
  [235, 'ocean sea wave harbour harbor river rain lake tide ferry current blue'],
  [222, 'winter snow ice frost glacier cold'],
  [262, 'indigo cobalt ink navy moonlight twilight hour'],
  [285, 'night midnight space galaxy cosmos orbit storm'],
  [305, 'violet purple lavender plum grape dream amethyst'],
  [330, 'neon magenta fuchsia electric orchid cyberpunk disco'],
  [5, 'rose pink blush bubblegum raspberry flamingo candy cotton'],
];

const TIMES: readonly (readonly [TimeOfDay, string])[] = [
  [
    'night',
    'night midnight moon moonlight moons star stars dark noir a.m neon space after nocturne late sleep asleep lamp',
  ],
  ['dusk', 'sunset dusk evening twilight blue-hour ember hour last'],
  ['dawn', 'sunrise dawn first morning early breakfast'],
  ['day', 'day noon summer afternoon swimming market lemonade picnic'],
];

const WEATHERS: readonly (readonly [Weather, string])[] = [
  ['rain', 'rain rainy wet storm monsoon thunder drizzle umbrella'],
  ['snow', 'snow snowy winter blizzard frost'],
  ['fog', 'fog mist misty haze smoke breath quiet'],
  ['wind', 'wind windy breeze gale current'],
];

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** True when the word begins with the stem. A stem of up to four letters must equal the word or its singular. */
function matches(word: string, stem: string): boolean {
  return stem.length > 4 ? word.startsWith(stem) : word === stem || word === `${stem}s`;
}

const anyOf = (words: readonly string[], stems: string): boolean =>
  stems.split(' ').some((stem) => words.some((word) => matches(word, stem)));

/** Reads the theme of a prompt. The same prompt and random state give the same theme. */
export function readTheme(prompt: string, random: Random): Theme {
  const words = prompt.toLowerCase().match(/[\p{L}\p{N}]+(?:\.[\p{L}\p{N}]+)*/gu) ?? [];
  const named = words.flatMap((word) =>
    HUES.filter(([, stems]) => stems.split(' ').some((stem) => matches(word, stem))).map(([hue]) => hue),
  );
  const free = random.next() * 360;
  const offset = random.pick([28, -32, 55, -60, 110, 180, 150]);
  const hue = named[0] ?? free;
  const secondHue = named.find((other) => Math.abs(other - hue) > 8) ?? (hue + offset + 360) % 360;
  const anyTime = random.pick<TimeOfDay>(['dawn', 'day', 'dusk', 'night', 'dusk']);
  const number = words.map((word) => NUMBERS.indexOf(word)).find((index) => index > 0);
  return {
    words,
    hue,
    secondHue,
    hueIsNamed: named.length > 0,
    time: TIMES.find(([, stems]) => anyOf(words, stems))?.[0] ?? anyTime,
    weather: WEATHERS.find(([, stems]) => anyOf(words, stems))?.[0] ?? 'clear',
    count: number ?? null,
  };
}

/** Picks the value with the most matching word stems; ties, and prompts without a match, are decided at random. */
export function choose<T>(theme: Theme, random: Random, byStems: Readonly<Record<string, T>>): T {
  const scored = Object.entries(byStems).map(([stems, value]) => ({
    value,
    score: stems.split(' ').filter((stem) => theme.words.some((word) => matches(word, stem))).length,
  }));
  const best = Math.max(...scored.map(({ score }) => score));
  return random.pick(scored.filter(({ score }) => score === best)).value;
}

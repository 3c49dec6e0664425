import { brightness, lighten, mix, rich } from '../color.js';
import { at, circle, ellipse, group, raised, type Board, type Drawing } from '../svg.js';
import { type Theme } from '../theme.js';
import { ANIMALS } from './animals.js';
import { colorNamed, type ColorName } from './color-words.js';
import { MACHINES } from './machines.js';
import { PLANTS } from './plants.js';
import { inkOf, type Subject } from './subject.js';
import { THINGS } from './things.js';

/** Everything that a prompt can name and every style can draw. */
export const SUBJECTS: readonly Subject[] = [...PLANTS, ...ANIMALS, ...MACHINES, ...THINGS];

const BY_WORD = new Map(SUBJECTS.flatMap((subject) => subject.words.map((word) => [word, subject] as const)));

/** How many words before a noun its colour may be: "a red and white wooden boat". */
const WORDS_BEFORE = 4;

/** The second colour of a subject whose own second colour is already its first. */
const BESIDE: Partial<Record<ColorName, ColorName>> = { white: 'pink', black: 'grey' };

/** A subject of a prompt, in the colours of the words before it. */
export interface NamedSubject {
  readonly subject: Subject;
  readonly main: ColorName;
  readonly second: ColorName;
  /** How often it is drawn, 1 to 5. */
  readonly count: number;
}

/** The first three subjects that a prompt names, in its order. */
export function subjectsOf({ words, count }: Pick<Theme, 'words' | 'count'>): readonly NamedSubject[] {
  const found: NamedSubject[] = [];
  let start = 0;
  words.forEach((word, index) => {
    const subject = word === 'cream' && words[index - 1] === 'ice' ? BY_WORD.get('icecream') : BY_WORD.get(word);
    if (!subject || found.some((other) => other.subject === subject)) return;
    const before = words.slice(Math.max(start, index - WORDS_BEFORE), index);
    const colors = before.map(colorNamed).filter((color) => color !== undefined);
    const [main = subject.usual[0]] = colors;
    const second = colors[1] ?? (subject.usual[1] === main ? (BESIDE[main] ?? 'white') : subject.usual[1]);
    found.push({ subject, main, second, count: Math.min(5, found.length === 0 ? (count ?? 1) : 1) });
    start = index + 1;
  });
  return found.slice(0, 3);
}

type Place = readonly [x: number, y: number, half: number];

const places = (...list: readonly Place[]): readonly Place[] => list;

/** The places of the drawings of one subject, by how often it is drawn. `half` is half the width of a drawing. */
const PLACES: readonly (readonly Place[])[] = [
  places([0, 0, 300]),
  places([-175, 20, 200], [175, -10, 200]),
  places([-230, 30, 160], [0, -60, 175], [230, 30, 160]),
  places([-160, -120, 150], [160, -120, 150], [-160, 170, 150], [160, 170, 150]),
  places([-230, -120, 130], [0, -160, 130], [230, -120, 130], [-120, 150, 140], [120, 150, 140]),
];

/**
 * Draws the subjects in front of a disc, like a low sun, which separates them from the scene behind. `aside` draws
 * them small in a corner, for pictures whose person stays in the middle.
 */
export function drawSubjects(board: Board, named: readonly NamedSubject[], aside: boolean): Drawing {
  const [first, ...others] = named;
  if (!first) return [];
  const { height, random, theme } = board;
  const size = Math.min(1000, height);
  const scale = (size / 1000) * (aside ? 0.42 : 1);
  const x = aside ? 1000 - 230 * (size / 1000) : 500 + random.between(-30, 30);
  const lift = first.subject.place === 'air' ? 0.47 : 0.52;
  const y = aside ? height - 230 * (size / 1000) : height * lift;
  const ink = inkOf(first.main, first.second);
  const pale = brightness(ink.main) < 0.62;
  const disc = pale ? lighten(rich(0.86, 0.08, theme.secondHue), 0.25) : rich(0.36, 0.1, theme.secondHue);
  const copies = (PLACES[first.count - 1] ?? []).map(([dx, dy, half]) =>
    group(first.subject.draw(ink), at(dx, dy, 0, half / 100)),
  );
  // The second on one side of the first, the third on the other.
  const side = others.length > 0 && random.chance(0.5) ? 235 : -235;
  const companions = others.map(({ subject, main, second }, index) =>
    group(subject.draw(inkOf(main, second)), at(index === 0 ? side : -side, 205, 0, 1.35)),
  );
  const onGround = first.subject.place === 'ground' && first.count === 1;
  const picture = [
    circle(0, 0, 345, disc, { opacity: 0.92 }),
    onGround ? ellipse(0, 302, 250, 26, mix(disc, '#000000', 0.22)) : [],
    raised([copies, companions]),
  ];
  return group(picture, at(x, y, 0, scale));
}

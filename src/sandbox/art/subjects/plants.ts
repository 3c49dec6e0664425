import { at, circle, ellipse, group, path, repeat, ROUND_ENDS, stroke, turned, type Drawing } from '../svg.js';
import { inAir, onGround, type Ink, type Subject } from './subject.js';

const petals = (count: number, petal: string, x: number, y: number): Drawing =>
  repeat(count, (i) => group(petal, at(x, y, (i * 360) / count)));

/** A tulip with the rim of its blossom at `y`. */
function tulip(ink: Ink, x: number, y: number): Drawing {
  const blossom = [
    path('M-30 0C-34 40 -18 56 0 56C18 56 34 40 30 0L14 20L0 -8L-14 20Z', ink.main),
    path('M0 -8C-18 16 -18 44 0 56C18 44 18 16 0 -8Z', ink.light),
  ];
  const leaf = path('M0 98C-34 70 -36 40 -26 10C-12 40 -4 70 0 98Z', ink.leaf);
  return [stroke(`M${x} 100V${y + 40}`, ink.leaf, 7), group(leaf, at(x, 0)), group(blossom, at(x, y))];
}

/** Flowers, trees and fruit. */
export const PLANTS: readonly Subject[] = [
  onGround('tulip tulips', 'red', 'yellow', (ink) => [tulip(ink, -48, -40), tulip(ink, 48, -52), tulip(ink, 0, -88)]),
  onGround('rose roses', 'red', 'pink', (ink) => [
    stroke('M0 100C8 60 -6 40 0 0', ink.leaf, 8),
    path('M2 62C30 30 56 34 66 44C50 66 26 72 2 62Z', ink.leaf),
    path('M0 82C-26 52 -52 54 -64 64C-48 86 -24 90 0 82Z', ink.leaf),
    petals(5, ellipse(0, -30, 30, 34, ink.dark), 0, -36),
    petals(5, ellipse(0, -20, 24, 26, ink.main), 0, -36),
    stroke('M-18 -36C-18 -62 24 -62 22 -34C20 -14 -12 -16 -10 -36C-8 -50 12 -48 10 -34', ink.light, 6),
  ]),
  onGround('sunflower sunflowers daisy daisies', 'yellow', 'brown', (ink) => [
    stroke('M0 100V0', ink.leaf, 9),
    path('M0 84C30 50 60 54 72 62C56 90 26 96 0 84Z', ink.leaf),
    path('M0 64C-28 36 -54 38 -66 46C-50 72 -26 78 0 64Z', ink.leaf),
    petals(16, ellipse(0, -50, 11, 26, ink.main), 0, -26),
    circle(0, -26, 32, ink.second),
    circle(0, -26, 19, ink.line),
  ]),
  onGround('tree trees oak oaks', 'green', 'red', (ink) => [
    path('M-12 100L-8 20L-30 -6L-22 -12L0 12L20 -16L28 -10L10 22L14 100Z', ink.wood),
    circle(-40, -22, 40, ink.dark),
    circle(42, -20, 38, ink.dark),
    circle(0, -50, 50, ink.main),
    circle(-18, -58, 24, ink.light),
  ]),
  onGround('pine pines fir firs spruce christmas', 'green', 'yellow', (ink) => [
    path('M-9 70H9V100H-9Z', ink.wood),
    path('M0 -40L62 78H-62Z', ink.dark),
    path('M0 -72L48 30H-48Z', ink.main),
    path('M0 -100L34 -20H-34Z', ink.light),
  ]),
  onGround('palm palms', 'green', 'brown', (ink) => [
    path('M-22 100C-18 40 -6 -10 10 -40L22 -36C10 0 2 50 2 100Z', ink.wood),
    [-150, -115, -70, -30, 5, 35].map((degrees) =>
      path('M16 -40C40 -62 76 -60 98 -34C72 -38 44 -34 16 -40Z', ink.main, turned(degrees, 16, -40)),
    ),
    circle(10, -30, 9, ink.second),
    circle(24, -28, 9, ink.second),
  ]),
  onGround('cactus cacti cactuses', 'green', 'pink', (ink) => [
    stroke('M0 96V-66M-56 -14V18Q-56 40 -34 40H0M54 -36V-2Q54 20 34 20H0', ink.main, 38, ROUND_ENDS),
    stroke('M-8 84V-60M8 84V-60', ink.dark, 4),
    petals(6, ellipse(0, -12, 6, 12, ink.second), 0, -88),
  ]),
  onGround('mushroom mushrooms toadstool toadstools', 'red', 'white', (ink) => [
    path('M-26 0C-22 40 -36 80 -34 100H34C36 80 22 40 26 0Z', ink.pale),
    path('M-92 10C-88 -60 -44 -96 0 -96C44 -96 88 -60 92 10C60 26 -60 26 -92 10Z', ink.main),
    circle(-44, -30, 16, ink.second),
    circle(4, -62, 14, ink.second),
    circle(46, -26, 18, ink.second),
    circle(-2, -12, 11, ink.second),
  ]),
  onGround('apple apples', 'red', 'green', (ink) => [
    path('M0 -30C-30 -58 -88 -40 -82 22C-78 72 -38 108 0 92C38 108 78 72 82 22C88 -40 30 -58 0 -30Z', ink.main),
    path('M-54 -14C-66 6 -64 34 -54 50C-46 30 -48 6 -38 -16Z', ink.light),
    stroke('M0 -28C2 -54 10 -70 24 -84', ink.wood, 9),
    path('M14 -58C30 -86 60 -86 78 -76C64 -52 38 -46 14 -58Z', ink.leaf),
  ]),
  onGround('strawberry strawberries', 'red', 'yellow', (ink) => [
    path('M0 100C-60 70 -92 10 -76 -34C-50 -62 50 -62 76 -34C92 10 60 70 0 100Z', ink.main),
    [
      [-40, -10],
      [0, -18],
      [40, -10],
      [-26, 22],
      [24, 22],
      [0, 52],
    ].map(([x = 0, y = 0]) => ellipse(x, y, 5, 8, ink.second)),
    path('M0 -96L12 -62L62 -70L40 -42L66 -22L18 -30L0 -2L-18 -30L-66 -22L-40 -42L-62 -70L-12 -62Z', ink.leaf),
  ]),
  onGround('pineapple pineapples', 'yellow', 'green', (ink) => [
    ellipse(0, 40, 52, 60, ink.main),
    stroke('M-46 14L20 96M-26 -10L42 76M0 -18L50 46M46 14L-20 96M26 -10L-42 76M0 -18L-50 46', ink.dark, 5),
    path(
      'M0 -18C-30 -40 -52 -46 -62 -78C-36 -70 -26 -62 -20 -54C-22 -76 -12 -92 0 -100C12 -92 22 -76 20 -54C26 -62 36 -70 62 -78C52 -46 30 -40 0 -18Z',
      ink.second,
    ),
  ]),
  inAir('leaf leaves', 'green', 'yellow', (ink) => [
    path('M-70 90C-110 -30 -20 -100 90 -90C100 20 40 110 -70 90Z', ink.main),
    path('M-70 90C-20 110 100 70 90 -90Z', ink.dark),
    stroke('M-92 100L70 -70M-20 40L-16 -30M10 8L70 6M-44 62L18 68', ink.light, 6),
  ]),
];

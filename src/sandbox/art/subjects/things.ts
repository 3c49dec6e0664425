import { circle, ellipse, path, rect, stroke } from '../svg.js';
import { type Subject } from './subject.js';

/** Buildings, food and other objects. */
export const THINGS: readonly Subject[] = [
  {
    name: 'lighthouse',
    words: 'lighthouse lighthouses beacon',
    usual: ['red', 'white'],
    place: 'ground',
    draw: (ink) =>
      path('M18 -70L110 -104V-34ZM-18 -70L-110 -104V-34Z', ink.glow, { opacity: 0.75 }) +
      path('M-24 -48H24L40 100H-40Z', ink.second) +
      path('M-27 -20H27L31 14H-31ZM-34 48H34L38 82H-38Z', ink.main) +
      rect(-30, -54, 60, 9, ink.line) +
      rect(-17, -86, 34, 34, ink.glow) +
      path('M-24 -84L0 -108L24 -84Z', ink.main) +
      path('M-10 100V84a10 10 0 0 1 20 0V100Z', ink.line),
  },
  {
    name: 'house',
    words: 'house houses cottage cottages cabin cabins home',
    usual: ['yellow', 'red'],
    place: 'ground',
    draw: (ink) =>
      rect(34, -84, 24, 50, ink.dark) +
      rect(-70, -14, 140, 114, ink.main) +
      path('M0 -92L96 0H-96Z', ink.second) +
      rect(-16, 42, 32, 58, ink.wood) +
      rect(-54, 10, 30, 30, ink.pale) +
      rect(24, 10, 30, 30, ink.pale) +
      stroke('M-39 10V40M-54 25H-24M39 10V40M24 25H54', ink.line, 4),
  },
  {
    name: 'castle',
    words: 'castle castles fortress palace palaces',
    usual: ['grey', 'red'],
    place: 'ground',
    draw: (ink) =>
      rect(-60, 0, 120, 100, ink.main) +
      path('M-60 0V-20H-40V-8H-20V-20H0V-8H20V-20H40V-8H60V0Z', ink.main) +
      rect(-94, -40, 44, 140, ink.dark) +
      rect(50, -40, 44, 140, ink.dark) +
      path('M-104 -38L-72 -100L-40 -38ZM40 -38L72 -100L104 -38Z', ink.second) +
      path('M-22 100V60a22 22 0 0 1 44 0V100Z', ink.line) +
      rect(-80, -14, 14, 26, ink.glow) +
      rect(66, -14, 14, 26, ink.glow),
  },
  {
    name: 'windmill',
    words: 'windmill windmills',
    usual: ['white', 'red'],
    place: 'ground',
    draw: (ink) =>
      path('M-30 -30H30L46 100H-46Z', ink.main) +
      path('M-34 -28C-30 -64 30 -64 34 -28Z', ink.second) +
      path('M0 -30L-14 -108H14ZM0 -30L78 -44V-16ZM0 -30L14 48H-14ZM0 -30L-78 -16V-44Z', ink.light, {
        transform: 'rotate(28 0 -30)',
        stroke: ink.wood,
        'stroke-width': 5,
      }) +
      circle(0, -30, 9, ink.wood) +
      rect(-13, 62, 26, 38, ink.wood),
  },
  {
    name: 'bridge',
    words: 'bridge bridges',
    usual: ['red', 'grey'],
    place: 'ground',
    draw: (ink) =>
      stroke('M-108 26Q-84 10 -56 -70Q0 40 56 -70Q84 10 108 26', ink.main, 7) +
      stroke('M-32 -30V26M-12 -10V26M12 -10V26M32 -30V26M-80 0V26M80 0V26', ink.main, 4) +
      rect(-64, -80, 16, 172, ink.dark) +
      rect(48, -80, 16, 172, ink.dark) +
      rect(-110, 24, 220, 18, ink.main) +
      rect(-76, 84, 40, 16, ink.second) +
      rect(36, 84, 40, 16, ink.second),
  },
  {
    name: 'mountain',
    words: 'mountain mountains volcano volcanoes',
    usual: ['purple', 'white'],
    place: 'ground',
    draw: (ink) =>
      path('M-110 100L-50 -10L0 60L24 100Z', ink.dark) +
      path('M-70 100L20 -90L110 100Z', ink.main) +
      path('M20 -90L52 -22L34 -34L20 -14L2 -32L-12 -22Z', ink.second) +
      path('M20 -90L110 100H40Z', '#000', { opacity: 0.14 }),
  },
  {
    name: 'umbrella',
    words: 'umbrella umbrellas parasol parasols',
    usual: ['red', 'white'],
    place: 'ground',
    draw: (ink) =>
      stroke('M0 -60V74C0 104 -38 102 -36 74', ink.wood, 9, { 'stroke-linecap': 'round' }) +
      path(
        'M-98 10C-94 -60 -50 -92 0 -92C50 -92 94 -60 98 10C84 -6 62 -6 50 10C36 -6 14 -6 0 10C-14 -6 -36 -6 -50 10C-62 -6 -84 -6 -98 10Z',
        ink.main,
      ) +
      path('M-50 10C-46 -50 -24 -84 0 -92C24 -84 46 -50 50 10C36 -6 14 -6 0 10C-14 -6 -36 -6 -50 10Z', ink.second) +
      stroke('M0 -92V-106', ink.wood, 8),
  },
  {
    name: 'teapot',
    words: 'teapot teapots kettle kettles',
    usual: ['blue', 'white'],
    place: 'ground',
    draw: (ink) =>
      stroke('M58 0C104 -10 104 62 58 60', ink.dark, 14) +
      path('M-50 40C-80 30 -78 -6 -104 -22L-88 -34C-60 -22 -60 0 -44 6Z', ink.dark) +
      ellipse(0, 36, 68, 60, ink.main) +
      path('M-40 -16C-30 -44 30 -44 40 -16Z', ink.dark) +
      circle(0, -46, 12, ink.second) +
      rect(-62, 26, 124, 14, ink.second),
  },
  {
    name: 'cup',
    words: 'cup cups coffee tea mug mugs',
    usual: ['white', 'brown'],
    place: 'ground',
    draw: (ink) =>
      stroke('M-24 -44C-40 -64 -8 -74 -24 -98M22 -44C6 -64 38 -74 22 -98', ink.light, 9, {
        'stroke-linecap': 'round',
      }) +
      stroke('M60 -6C100 -12 100 56 52 54', ink.dark, 15) +
      path('M-72 -26H72C72 40 56 84 30 84H-30C-56 84 -72 40 -72 -26Z', ink.main) +
      ellipse(0, -26, 72, 16, ink.dark) +
      ellipse(0, -24, 60, 11, ink.second) +
      ellipse(0, 90, 84, 10, ink.light),
  },
  {
    name: 'cake',
    words: 'cake cakes cupcake cupcakes',
    usual: ['pink', 'white'],
    place: 'ground',
    draw: (ink) =>
      rect(-82, 30, 164, 64, ink.main, { rx: 8 }) +
      rect(-56, -30, 112, 62, ink.light, { rx: 8 }) +
      path(
        'M-82 40C-70 60 -56 60 -48 40C-36 66 -20 66 -12 40C0 66 16 66 24 40C36 62 52 62 60 40C66 56 78 56 82 40V30H-82Z',
        ink.second,
      ) +
      [-30, 0, 30].map((x) => rect(x - 4, -64, 8, 34, ink.second) + ellipse(x, -76, 7, 12, ink.glow)).join('') +
      ellipse(0, 96, 98, 7, ink.pale),
  },
  {
    name: 'ice cream',
    words: 'icecream ice-cream gelato sundae popsicle popsicles',
    usual: ['pink', 'brown'],
    place: 'ground',
    draw: (ink) =>
      path('M-44 4H44L0 104Z', '#d9964f') +
      stroke('M-30 10L14 74M-6 10L24 54M30 10L-14 74M6 10L-24 54', ink.wood, 4) +
      circle(-24, -18, 32, ink.main) +
      circle(24, -18, 32, ink.light) +
      circle(0, -56, 34, ink.second) +
      circle(10, -92, 11, '#c7253e'),
  },
  {
    name: 'heart',
    words: 'heart hearts',
    usual: ['red', 'pink'],
    place: 'air',
    draw: (ink) =>
      path('M0 90C-130 0 -96 -84 -46 -84C-20 -84 -6 -66 0 -48C6 -66 20 -84 46 -84C96 -84 130 0 0 90Z', ink.main) +
      path('M-64 -50C-78 -36 -76 -8 -58 14C-60 -14 -54 -34 -40 -56Z', ink.light),
  },
  {
    name: 'star',
    words: 'star stars',
    usual: ['yellow', 'orange'],
    place: 'air',
    draw: (ink) =>
      path('M0 -100L29 -40L95 -31L47 15L59 81L0 50L-59 81L-47 15L-95 -31L-29 -40Z', ink.main) +
      path('M0 -100L29 -40L0 0ZM95 -31L47 15L0 0ZM59 81L0 50L0 0ZM-59 81L-47 15L0 0ZM-95 -31L-29 -40L0 0Z', ink.dark, {
        opacity: 0.45,
      }),
  },
  {
    name: 'moon',
    words: 'moon moons',
    usual: ['yellow', 'grey'],
    place: 'air',
    draw: (ink) =>
      path(
        'M34 -92C-16 -88 -40 -40 -26 10C-14 54 26 76 70 64C40 96 -20 104 -60 66C-104 24 -100 -46 -54 -80C-28 -98 8 -104 34 -92Z',
        ink.main,
      ) +
      circle(-56, -10, 12, ink.dark) +
      circle(-34, 46, 9, ink.dark),
  },
  {
    name: 'crown',
    words: 'crown crowns tiara',
    usual: ['yellow', 'red'],
    place: 'ground',
    draw: (ink) =>
      path('M-90 80L-100 -40L-48 10L0 -76L48 10L100 -40L90 80Z', ink.main) +
      rect(-90, 64, 180, 26, ink.dark, { rx: 6 }) +
      circle(0, -80, 14, ink.second) +
      circle(-98, -44, 12, ink.second) +
      circle(98, -44, 12, ink.second) +
      path('M0 18L18 40L0 60L-18 40Z', ink.second),
  },
  {
    name: 'key',
    words: 'key keys',
    usual: ['yellow', 'brown'],
    place: 'air',
    draw: (ink) =>
      circle(-56, 0, 34, 'none', { stroke: ink.main, 'stroke-width': 20 }) +
      rect(-20, -10, 118, 20, ink.main) +
      rect(52, 8, 16, 34, ink.main) +
      rect(80, 8, 16, 26, ink.dark),
  },
  {
    name: 'lamp',
    words: 'lamp lamps lantern lanterns candle candles',
    usual: ['orange', 'brown'],
    place: 'ground',
    draw: (ink) =>
      path('M-46 14L-90 100H90L46 14Z', ink.glow, { opacity: 0.55 }) +
      rect(-6, 10, 12, 84, ink.second) +
      path('M-34 -80H34L74 16H-74Z', ink.main) +
      path('M0 -80H34L74 16H20Z', ink.dark, { opacity: 0.5 }) +
      ellipse(0, 94, 46, 9, ink.second),
  },
  {
    name: 'book',
    words: 'book books',
    usual: ['blue', 'white'],
    place: 'ground',
    draw: (ink) =>
      path('M-104 -50L0 -34L104 -50V74L0 92L-104 74Z', ink.main) +
      path('M-94 -62C-60 -70 -24 -62 0 -40V78C-24 60 -60 54 -94 62Z', ink.pale) +
      path('M94 -62C60 -70 24 -62 0 -40V78C24 60 60 54 94 62Z', ink.second) +
      stroke(
        'M-78 -36C-56 -42 -34 -36 -18 -24M-78 -6C-56 -12 -34 -6 -18 6M78 -36C56 -42 34 -36 18 -24M78 -6C56 -12 34 -6 18 6',
        ink.line,
        4,
      ),
  },
  {
    name: 'ghost',
    words: 'ghost ghosts',
    usual: ['white', 'pink'],
    place: 'air',
    draw: (ink) =>
      path('M-66 92V-20C-66 -76 -34 -100 0 -100C34 -100 66 -76 66 -20V92L44 70L22 92L0 70L-22 92L-44 70Z', ink.main) +
      ellipse(-24, -36, 10, 15, '#2a2326') +
      ellipse(24, -36, 10, 15, '#2a2326') +
      ellipse(0, 0, 12, 15, ink.dark) +
      circle(-42, -8, 10, ink.second) +
      circle(42, -8, 10, ink.second),
  },
  {
    name: 'snowman',
    words: 'snowman snowmen',
    usual: ['white', 'red'],
    place: 'ground',
    draw: (ink) =>
      circle(0, 48, 52, ink.main) +
      circle(0, -30, 38, ink.main) +
      stroke('M-48 20L-96 -14M48 20L96 -14', ink.wood, 7) +
      rect(-40, -68, 80, 9, ink.line) +
      rect(-26, -106, 52, 40, ink.line) +
      path('M-36 -4C-12 10 12 10 36 -4L34 12C12 22 -12 22 -34 12Z', ink.second) +
      rect(14, 8, 16, 40, ink.second) +
      path('M0 -32L40 -24L0 -18Z', '#ef7d22') +
      circle(-14, -42, 6, ink.line) +
      circle(14, -42, 6, ink.line) +
      circle(0, 40, 5, ink.line) +
      circle(0, 62, 5, ink.line),
  },
  {
    name: 'kite',
    words: 'kite kites',
    usual: ['red', 'yellow'],
    place: 'air',
    draw: (ink) =>
      stroke('M0 40C30 66 -30 76 4 104', ink.line, 4) +
      path('M0 -100L62 -36L0 50L-62 -36Z', ink.main) +
      path('M0 -100L62 -36H0ZM0 50L-62 -36H0Z', ink.second) +
      path('M4 66L24 58L22 78ZM-4 84L-24 78L-22 96Z', ink.main),
  },
];

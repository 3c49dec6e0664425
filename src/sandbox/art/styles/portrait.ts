import { darken, lighten, mix, type Hex } from '../color.js';
import { around, at, circle, clipped, group, path, rect, repeat, ROUND_ENDS, stroke, svg } from '../svg.js';
import { type Board, type Drawing, type Painter } from '../svg.js';
import { type Random } from '../random.js';
import { choose } from '../theme.js';

/** A person's appearance. The numbers are indexes into this file's tables and must stay stable. */
export interface PortraitLooks {
  /** Index into the eight palettes. */
  readonly palette: number;
  /** 0 swept, 1 parted, 2 round afro, 3 bun, 4 short, 5 head scarf, 6 bob, 7 curls. */
  readonly hair: number;
  /** 0 none, 1 glasses, 2 earrings, 3 beard, 4 necklace. */
  readonly accessory: number;
}

type Colors = ReturnType<typeof colors>;

const colors = (ground: Hex, disc: Hex, skin: Hex, shadow: Hex, hair: Hex, top: Hex, lip: Hex) => ({
  ground,
  disc,
  skin,
  shadow,
  hair,
  top,
  lip,
});

const PALETTES: readonly [Colors, ...Colors[]] = [
  colors('#e8b84a', '#d9502e', '#8a4a34', '#4d2330', '#17121a', '#1f5b57', '#c23b3b'),
  colors('#2b3a67', '#e98a6d', '#f0b795', '#b5565a', '#7a2236', '#f1dfc2', '#b0303c'),
  colors('#cfd8cf', '#3d7a6a', '#e9a77d', '#a4573e', '#23201f', '#d9622b', '#a63a2a'),
  colors('#5b1f3b', '#f0a03c', '#5b3a2e', '#2c1a1d', '#0f0c10', '#f3d7c4', '#8f2c3a'),
  colors('#f0d3c2', '#e5654a', '#f7d3b5', '#d2876a', '#d98324', '#26405c', '#c43d3d'),
  colors('#16333a', '#57b6a4', '#c98a62', '#7a4334', '#e9e0d0', '#e7b23f', '#8f3a32'),
  colors('#dfe4ec', '#7b8fd6', '#b06f4f', '#6a3836', '#2b1b3f', '#c8402f', '#7d2830'),
  colors('#1c1a2b', '#c46be0', '#efc0a4', '#b06a86', '#f2b5c9', '#3bb0c9', '#c23b6b'),
];

/** Darkens the half of a figure that is in the shadow. */
const SHADE = { 'fill-opacity': 0.14 };

const round = (x: number, y: number, r: number): string =>
  svg`M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0Z`;

const CURLS = repeat(22, (i) => around(400, 400, i % 2 === 0 ? 228 : 205, Math.PI * (1 + i / 21)));

/** The hair behind the face, in the order of `PortraitLooks.hair`. */
const HAIR_BEHIND: readonly (readonly string[])[] = [
  ['M215 420C190 200 610 200 585 420L600 640C560 690 240 690 200 640Z'],
  ['M210 420C180 160 620 160 595 430C600 560 690 700 640 900L160 900C110 720 205 580 210 420Z'],
  [round(400, 345, 258)],
  [round(400, 175, 92), 'M232 420C215 215 585 215 568 420Z'],
  ['M236 330C230 180 560 160 572 330L575 470L228 470Z'],
  [],
  ['M222 400C200 190 600 190 580 400L590 540L212 540Z'],
  CURLS.map(({ x, y }, i) => round(x, y, i % 3 === 0 ? 74 : 62)),
];

/** The hair in front of the face. The head scarf has none. */
const HAIR_FRONT: readonly string[] = [
  'M226 430C216 236 400 170 470 220C590 220 594 330 576 440C560 350 520 320 470 318C380 330 270 330 226 430Z',
  'M226 430C210 220 350 180 404 186C500 170 600 260 574 440C556 330 470 310 404 252C350 320 250 330 226 430Z',
  'M246 372C270 250 530 250 554 372C500 300 300 300 246 372Z',
  'M236 402C240 250 330 212 400 212C470 212 560 250 564 402C520 316 460 296 400 296C340 296 280 316 236 402Z',
  'M228 420C214 260 300 140 470 150C560 150 604 230 574 420C560 340 540 300 500 290C410 310 300 280 262 330C246 350 236 380 228 420Z',
  '',
  'M224 436C210 220 590 220 576 436C560 366 556 352 540 344L258 344C240 352 236 372 224 436Z',
  'M240 380C260 240 540 240 560 380C500 318 300 318 240 380Z',
];
const HEAD_SCARF = 5;

const scarf = ({ top, lip }: Colors): Drawing => [
  path('M120 330C200 280 600 280 680 330C690 366 600 380 400 380C200 380 110 366 120 330Z', top),
  path('M246 320C250 150 330 130 400 150C470 130 550 150 554 320C480 340 320 340 246 320Z', top),
  path('M246 300C320 322 480 322 554 300L554 328C480 350 320 350 246 328Z', lip),
  path('M400 150C470 130 550 150 554 320C500 334 450 336 400 336Z', '#000', SHADE),
];

const bust = (c: Colors): Drawing => [
  path('M40 1400C40 960 150 880 320 832L480 832C650 880 760 960 760 1400Z', c.top),
  path('M400 832L480 832C650 880 760 960 760 1400L400 1400Z', '#000', SHADE),
  path('M322 600L322 828C345 896 455 896 478 828L478 600Z', c.skin),
  path('M322 640C360 720 440 730 478 660L478 828C466 866 436 880 400 880C400 780 350 720 322 690Z', c.shadow),
];

const HEAD =
  'M240 420C236 250 320 205 400 205C480 205 564 250 560 420C558 540 520 690 400 705C280 690 242 540 240 420Z';
const BEARD =
  'M258 540C268 690 340 738 400 738C460 738 532 690 542 540C520 600 470 590 400 592C330 590 280 600 258 540Z';
/** The shadow of a face. Its left border is the profile. */
const PROFILE =
  'M404 205C480 205 564 250 560 420C558 540 520 690 400 705C404 690 414 676 410 664C402 652 420 642 412 630' +
  'C424 618 408 610 414 596C418 584 448 580 440 560C432 536 404 500 410 450C414 400 400 330 404 205Z';

type Eyes = 'closed' | 'open' | 'away';

/** A face with one half in the light and one in the shadow; the border between them is the profile. */
const face = (c: Colors, eyes: Eyes): Drawing => [
  path(HEAD, c.skin),
  path(PROFILE, c.shadow),
  eyes === 'closed'
    ? [
        stroke('M282 462C304 484 340 484 362 464', c.shadow, 9, ROUND_ENDS),
        stroke('M452 464C474 484 510 484 528 462', c.skin, 9, ROUND_ENDS),
      ]
    : [eye(c, 322, eyes, 0.25), eye(c, 490, eyes, 0.5)],
  stroke('M276 412C304 390 340 392 366 408', c.hair, 11, ROUND_ENDS),
  stroke('M446 408C474 392 510 390 532 410', mix(c.hair, c.skin, 0.25), 11, ROUND_ENDS),
  path('M352 622C376 606 392 612 402 616C414 610 432 606 454 622C432 648 376 650 352 622Z', c.lip),
  circle(300, 548, 30, c.lip, { 'fill-opacity': 0.22 }),
];

function eye(c: Colors, x: number, eyes: Eyes, lidDarkness: number): Drawing {
  const look = eyes === 'away' ? 14 : 0;
  const parts = [
    path('M-42 466Q0 432 42 466Q0 492 -42 466Z', '#fbf3e6'),
    circle(look, 464, 15, darken(c.hair, 0.3)),
    circle(look + 5, 459, 4, '#fff'),
    stroke('M-44 466Q0 430 44 466', darken(c.shadow, lidDarkness), 8, ROUND_ENDS),
  ];
  return group(parts, at(x, 0));
}

function accessory(c: Colors, kind: number): Drawing {
  switch (kind) {
    case 1:
      return [
        [322, 490].map((x) => circle(x, 468, 62, 'none', { stroke: c.hair, 'stroke-width': 10 })),
        stroke('M384 462Q406 446 428 462', c.hair, 10),
      ];
    case 2:
      return [circle(236, 585, 24, c.disc), circle(564, 585, 24, c.disc)];
    case 3:
      return [path(BEARD, c.hair), path('M356 632C376 622 430 622 448 632C430 650 376 650 356 632Z', c.lip)];
    case 4:
      return stroke('M300 850C340 930 460 930 500 850', c.disc, 20, ROUND_ENDS);
    default:
      return [];
  }
}

interface Person {
  readonly colors: Colors;
  readonly looks: PortraitLooks;
  readonly flip: boolean;
  readonly eyes: Eyes;
}

/** Head and shoulders with the middle of the face at the origin, 800 units wide. */
function person({ colors: c, looks, flip, eyes }: Person): Drawing {
  const figure = [
    HAIR_BEHIND[looks.hair]?.map((shape) => path(shape, c.hair)) ?? [],
    bust(c),
    face(c, eyes),
    looks.hair === HEAD_SCARF ? scarf(c) : path(HAIR_FRONT[looks.hair] ?? '', c.hair),
    accessory(c, looks.accessory),
  ];
  return group(figure, flip ? at(400, -460, 0, -1, 1) : at(-400, -460));
}

/** A creator's portrait, with head and shoulders, for a tall board 1000 units wide. */
export function portraitOf(looks: PortraitLooks, random: Random, boardHeight: number): Drawing {
  const c = PALETTES[looks.palette % PALETTES.length] ?? PALETTES[0];
  const flip = random.chance(0.5);
  const disc = circle(random.between(-45, 45), random.between(-35, 35) - 70, 300, c.disc);
  const figure = [disc, person({ colors: c, looks, flip, eyes: 'closed' })];
  return [rect(0, 0, 1000, boardHeight, c.ground), group(figure, at(500, boardHeight * 0.47 - 56, 0, 1.4))];
}

/** The picture that a scene draws, in the colours of its person. */
interface Sitting extends Board {
  readonly colors: Colors;
}

type Scene = (sitting: Sitting) => Drawing;

function randomPerson({ random, theme, colors: c }: Sitting): Person {
  const man = theme.words.some((word) => /^(man|father|brother|king|uncle|sailor|grandfather)s?$/.test(word));
  const woman = theme.words.some((word) => /^(woman|mother|sister|queen|aunt|girl|widow|grandmother)s?$/.test(word));
  const hair = man ? random.pick([2, 4, 4, 7]) : woman ? random.pick([1, 2, 3, 5, 6, 7]) : random.int(0, 7);
  const bearded = man || (!woman && [2, 4, 7].includes(hair));
  return {
    colors: c,
    looks: { palette: 0, hair, accessory: random.pick(bearded ? [0, 1, 3, 3] : [0, 1, 2, 4]) },
    flip: random.chance(0.5),
    eyes: random.pick(['closed', 'closed', 'open', 'away']),
  };
}

/**
 * Combines skin and hair of one palette with cloth and ground of another, so that there are more people than palettes.
 */
function blend(random: Random): Colors {
  const body = random.pick(PALETTES);
  const cloth = random.pick(PALETTES);
  return { ...body, ground: cloth.ground, disc: cloth.disc, top: random.chance(0.5) ? cloth.top : body.top };
}

const stand = (figure: Person, x: number, y: number, scale: number, degrees = 0): Drawing =>
  group(person(figure), at(x, y, degrees, scale));

/** The backgrounds behind a head, by the words that select them. */
const BACKDROPS: Readonly<Record<string, Scene>> = {
  'moon sun dream halo saint': ({ random, height, colors: c }) => {
    const { x, y } = random.point(370, 630, height * 0.44 - 60, height * 0.44 + 60);
    return circle(x, y, random.between(290, 400), c.disc);
  },
  'news good glory singer stage opera': ({ height, colors: c }) =>
    repeat(18, (i) => path('M0 0H1200L1181.7 209Z', c.disc, at(500, height * 0.44, i * 20))),
  'platform train door waiting hotel church': ({ height, colors: c }) => [
    path(svg`M150 ${height}V${height * 0.46}a350 350 0 0 1 700 0V${height}Z`, c.disc),
    path(svg`M215 ${height}V${height * 0.47}a285 285 0 0 1 570 0V${height}Z`, mix(c.disc, c.ground, 0.45)),
  ],
  'night stars star sleep midnight': ({ random, height, colors: c }) => {
    const moon = circle(random.between(180, 820), height * 0.22, random.between(80, 140), c.disc);
    const star = (): Drawing =>
      circle(random.next() * 1000, random.next() * height, random.between(2, 8), lighten(c.disc, 0.4));
    return [moon, repeat(60, star)];
  },
  'garden leaves summer forest spring': ({ random, height, colors: c }) =>
    repeat(26, (i) => {
      const place = at(random.next() * 1000, random.next() * height, random.next() * 360, random.between(1.2, 2.6));
      const color = i % 3 === 0 ? mix(c.disc, c.ground, 0.4) : c.disc;
      return path('M0 0C32 -30 30 -75 0 -100C-30 -75 -32 -30 0 0Z', color, place);
    }),
  'ending stripes understudy rain office': ({ height, colors: c }) =>
    repeat(8, (i) => rect(i * 125, 0, 62, height, c.disc)),
  'sea waves sailor lighthouse swimmer': ({ random, height, colors: c }) => {
    const sun = circle(500 + random.between(-220, 220), height * 0.34, 170, c.disc);
    const waves = repeat(7, (row) => {
      const [shift, color] = row % 2 === 0 ? [-60, c.disc] : [0, mix(c.disc, c.ground, 0.5)];
      return repeat(10 - (row % 2), (i) => circle(shift + i * 120, height * 0.6 + row * 56, 62, color));
    });
    return [sun, waves];
  },
  'mirror square window picture half': ({ random, height, colors: c }) => [
    rect(random.chance(0.5) ? 0 : 500, 0, 500, height, c.disc),
    rect(0, height * 0.72, 1000, height * 0.28, mix(c.disc, c.ground, 0.5)),
  ],
};

const backdrop: Scene = (s) => choose(s.theme, s.random, BACKDROPS)(s);

const single: Scene = (s) => {
  const { random, height } = s;
  const behind = backdrop(s);
  const sitter = randomPerson(s);
  const { x, y } = random.point(440, 560, height * 0.44, height * 0.5);
  return [behind, stand(sitter, x, y, random.between(0.98, 1.3), random.between(-5, 5))];
};

const closeUp: Scene = (s) => {
  const { random, height } = s;
  const behind = backdrop(s);
  const sitter: Person = { ...randomPerson(s), eyes: random.pick<Eyes>(['open', 'away', 'closed']) };
  const x = random.pick([250, 400, 600, 760]);
  const y = height * random.between(0.5, 0.6);
  return [behind, stand(sitter, x, y, random.between(1.7, 2.2), random.between(-12, 12))];
};

const pair: Scene = (s) => {
  const { random, height, colors: c } = s;
  const other = { ...blend(random), ground: c.ground, disc: c.disc };
  const left: Person = { ...randomPerson(s), flip: true };
  const right: Person = {
    ...randomPerson({ ...s, colors: { ...other, top: lighten(other.top, 0.1) } }),
    flip: false,
  };
  return [
    backdrop(s),
    stand(right, 690, height * random.between(0.4, 0.48), 0.92, random.between(0, 7)),
    stand(left, 310, height * random.between(0.46, 0.54), 0.98, random.between(-9, 0)),
  ];
};

/** A small person under a large sky. */
const distant: Scene = (s) => {
  const { random, height, colors: c } = s;
  const x = random.pick([300, 500, 700]);
  const horizon = height * 0.8;
  const sun = random.point(340, 660, height * 0.36, height * 0.46);
  return [
    circle(sun.x, sun.y, random.between(300, 380), c.disc),
    rect(0, horizon, 1000, height - horizon, mix(c.ground, c.disc, 0.45)),
    rect(0, horizon, 1000, 6, mix(c.ground, c.shadow, 0.6)),
    stand(randomPerson(s), x, height * 0.62, 0.6),
  ];
};

/** The same face four times, in four colours. */
const prints: Scene = (s) => {
  const { random, height } = s;
  const sitter = randomPerson(s);
  const sheets = random.shuffle(PALETTES).slice(0, 4);
  return sheets.map((sheet, i) => {
    const x = (i % 2) * 500;
    const y = Math.floor(i / 2) * (height / 2);
    const ground = rect(x, y, 500, height / 2, sheet.ground);
    return clipped(`pr${i}`, ground, [
      ground,
      circle(x + 250, y + height * 0.22, 190, sheet.disc),
      stand({ ...sitter, colors: sheet }, x + 250, y + height * 0.25, 0.66),
    ]);
  });
};

/** Split-light portraits of invented people. */
export const portrait: Painter = (board) => {
  const { random, theme, height } = board;
  const c = blend(random);
  const compose = choose(theme, random, {
    'someone who cellist understudy singer pianist waiter baker': single,
    'eyes close face stare listening secret dream': closeUp,
    'sister sisters two couple twins lovers brothers friends us': pair,
    'waiting alone far news lighthouse stranger desert': distant,
    'four ending times mirror copies twice passport': prints,
  });
  return [rect(0, 0, 1000, height, c.ground), compose({ ...board, colors: c })];
};

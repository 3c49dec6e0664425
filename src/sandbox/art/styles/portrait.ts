import { darken, lighten, mix, type Hex } from '../color.js';
import { circle, group, n, path, rect, stroke, type Painter } from '../svg.js';
import { type Random } from '../random.js';
import { choose, type Theme } from '../theme.js';

/** A person's appearance. The numbers are indexes into this file's tables and must stay stable. */
export interface PortraitLooks {
  /** Index into the eight palettes. */
  readonly palette: number;
  /** 0 swept, 1 parted, 2 round afro, 3 bun, 4 short, 5 head scarf, 6 bob, 7 curls. */
  readonly hair: number;
  /** 0 none, 1 glasses, 2 earrings, 3 beard, 4 necklace. */
  readonly accessory: number;
}

interface Colors {
  readonly ground: Hex;
  readonly disc: Hex;
  readonly skin: Hex;
  readonly shadow: Hex;
  readonly hair: Hex;
  readonly top: Hex;
  readonly lip: Hex;
}

const PALETTES: readonly [Colors, ...Colors[]] = [
  {
    ground: '#e8b84a',
    disc: '#d9502e',
    skin: '#8a4a34',
    shadow: '#4d2330',
    hair: '#17121a',
    top: '#1f5b57',
    lip: '#c23b3b',
  },
  {
    ground: '#2b3a67',
    disc: '#e98a6d',
    skin: '#f0b795',
    shadow: '#b5565a',
    hair: '#7a2236',
    top: '#f1dfc2',
    lip: '#b0303c',
  },
  {
    ground: '#cfd8cf',
    disc: '#3d7a6a',
    skin: '#e9a77d',
    shadow: '#a4573e',
    hair: '#23201f',
    top: '#d9622b',
    lip: '#a63a2a',
  },
  {
    ground: '#5b1f3b',
    disc: '#f0a03c',
    skin: '#5b3a2e',
    shadow: '#2c1a1d',
    hair: '#0f0c10',
    top: '#f3d7c4',
    lip: '#8f2c3a',
  },
  {
    ground: '#f0d3c2',
    disc: '#e5654a',
    skin: '#f7d3b5',
    shadow: '#d2876a',
    hair: '#d98324',
    top: '#26405c',
    lip: '#c43d3d',
  },
  {
    ground: '#16333a',
    disc: '#57b6a4',
    skin: '#c98a62',
    shadow: '#7a4334',
    hair: '#e9e0d0',
    top: '#e7b23f',
    lip: '#8f3a32',
  },
  {
    ground: '#dfe4ec',
    disc: '#7b8fd6',
    skin: '#b06f4f',
    shadow: '#6a3836',
    hair: '#2b1b3f',
    top: '#c8402f',
    lip: '#7d2830',
  },
  {
    ground: '#1c1a2b',
    disc: '#c46be0',
    skin: '#efc0a4',
    shadow: '#b06a86',
    hair: '#f2b5c9',
    top: '#3bb0c9',
    lip: '#c23b6b',
  },
];

const HAIR_BEHIND: Readonly<Record<number, string>> = {
  0: 'M215 420C190 200 610 200 585 420L600 640C560 690 240 690 200 640Z',
  1: 'M210 420C180 160 620 160 595 430C600 560 690 700 640 900L160 900C110 720 205 580 210 420Z',
  4: 'M236 330C230 180 560 160 572 330L575 470L228 470Z',
  6: 'M222 400C200 190 600 190 580 400L590 540L212 540Z',
};

const HAIR_FRONT: Readonly<Record<number, string>> = {
  0: 'M226 430C216 236 400 170 470 220C590 220 594 330 576 440C560 350 520 320 470 318C380 330 270 330 226 430Z',
  1: 'M226 430C210 220 350 180 404 186C500 170 600 260 574 440C556 330 470 310 404 252C350 320 250 330 226 430Z',
  2: 'M246 372C270 250 530 250 554 372C500 300 300 300 246 372Z',
  3: 'M236 402C240 250 330 212 400 212C470 212 560 250 564 402C520 316 460 296 400 296C340 296 280 316 236 402Z',
  4: 'M228 420C214 260 300 140 470 150C560 150 604 230 574 420C560 340 540 300 500 290C410 310 300 280 262 330C246 350 236 380 228 420Z',
  6: 'M224 436C210 220 590 220 576 436C560 366 556 352 540 344L258 344C240 352 236 372 224 436Z',
  7: 'M240 380C260 240 540 240 560 380C500 318 300 318 240 380Z',
};

function hairBehind(c: Colors, kind: number): string {
  const shape = HAIR_BEHIND[kind];
  let out = shape ? path(shape, c.hair) : '';
  if (kind === 2) out += circle(400, 345, 258, c.hair);
  if (kind === 3) out += circle(400, 175, 92, c.hair) + path('M232 420C215 215 585 215 568 420Z', c.hair);
  if (kind === 7) {
    for (let i = 0; i < 22; i += 1) {
      const a = Math.PI * (1 + i / 21);
      const reach = i % 2 === 0 ? 228 : 205;
      out += circle(400 + Math.cos(a) * reach, 400 + Math.sin(a) * reach, i % 3 === 0 ? 74 : 62, c.hair);
    }
  }
  return out;
}

function bust(c: Colors): string {
  return (
    path('M40 1400C40 960 150 880 320 832L480 832C650 880 760 960 760 1400Z', c.top) +
    path('M400 832L480 832C650 880 760 960 760 1400L400 1400Z', '#000', { 'fill-opacity': 0.14 }) +
    path('M322 600L322 828C345 896 455 896 478 828L478 600Z', c.skin) +
    path('M322 640C360 720 440 730 478 660L478 828C466 866 436 880 400 880C400 780 350 720 322 690Z', c.shadow)
  );
}

/** A face with one half in the light and one in the shadow; the border between them is the profile. */
function face(c: Colors, eyes: 'closed' | 'open' | 'away'): string {
  let out =
    path(
      'M240 420C236 250 320 205 400 205C480 205 564 250 560 420C558 540 520 690 400 705C280 690 242 540 240 420Z',
      c.skin,
    ) +
    path(
      'M404 205C480 205 564 250 560 420C558 540 520 690 400 705C404 690 414 676 410 664C402 652 420 642 412 630C424 618 408 610 414 596C418 584 448 580 440 560C432 536 404 500 410 450C414 400 400 330 404 205Z',
      c.shadow,
    );
  const round = { 'stroke-linecap': 'round' };
  if (eyes === 'closed') {
    out +=
      stroke('M282 462C304 484 340 484 362 464', c.shadow, 9, round) +
      stroke('M452 464C474 484 510 484 528 462', c.skin, 9, round);
  } else {
    const look = eyes === 'away' ? 14 : 0;
    const eye = (x: number, lid: Hex): string =>
      path(`M${x - 42} 466Q${x} 432 ${x + 42} 466Q${x} 492 ${x - 42} 466Z`, '#fbf3e6') +
      circle(x + look, 464, 15, darken(c.hair, 0.3)) +
      circle(x + look + 5, 459, 4, '#fff') +
      stroke(`M${x - 44} 466Q${x} 430 ${x + 44} 466`, lid, 8, round);
    out += eye(322, darken(c.shadow, 0.25)) + eye(490, darken(c.shadow, 0.5));
  }
  return (
    out +
    stroke('M276 412C304 390 340 392 366 408', c.hair, 11, round) +
    stroke('M446 408C474 392 510 390 532 410', mix(c.hair, c.skin, 0.25), 11, round) +
    path('M352 622C376 606 392 612 402 616C414 610 432 606 454 622C432 648 376 650 352 622Z', c.lip) +
    circle(300, 548, 30, c.lip, { 'fill-opacity': 0.22 })
  );
}

function hairFront(c: Colors, kind: number): string {
  const shape = HAIR_FRONT[kind];
  let out = shape ? path(shape, c.hair) : '';
  if (kind === 5) {
    out +=
      path('M120 330C200 280 600 280 680 330C690 366 600 380 400 380C200 380 110 366 120 330Z', c.top) +
      path('M246 320C250 150 330 130 400 150C470 130 550 150 554 320C480 340 320 340 246 320Z', c.top) +
      path('M246 300C320 322 480 322 554 300L554 328C480 350 320 350 246 328Z', c.lip) +
      path('M400 150C470 130 550 150 554 320C500 334 450 336 400 336Z', '#000', { 'fill-opacity': 0.14 });
  }
  return out;
}

function accessory(c: Colors, kind: number): string {
  switch (kind) {
    case 1:
      return (
        circle(322, 468, 62, 'none', { stroke: c.hair, 'stroke-width': 10 }) +
        circle(490, 468, 62, 'none', { stroke: c.hair, 'stroke-width': 10 }) +
        stroke('M384 462Q406 446 428 462', c.hair, 10)
      );
    case 2:
      return circle(236, 585, 24, c.disc) + circle(564, 585, 24, c.disc);
    case 3:
      return (
        path(
          'M258 540C268 690 340 738 400 738C460 738 532 690 542 540C520 600 470 590 400 592C330 590 280 600 258 540Z',
          c.hair,
        ) + path('M356 632C376 622 430 622 448 632C430 650 376 650 356 632Z', c.lip)
      );
    case 4:
      return stroke('M300 850C340 930 460 930 500 850', c.disc, 20, { 'stroke-linecap': 'round' });
    default:
      return '';
  }
}

interface Person {
  readonly colors: Colors;
  readonly looks: PortraitLooks;
  readonly flip: boolean;
  readonly eyes: 'closed' | 'open' | 'away';
}

/** Head and shoulders on a board 800 units wide, with the face around (400, 460). */
function person({ colors, looks, flip, eyes }: Person): string {
  const figure =
    hairBehind(colors, looks.hair) +
    bust(colors) +
    face(colors, eyes) +
    hairFront(colors, looks.hair) +
    accessory(colors, looks.accessory);
  return flip ? group(figure, { transform: 'translate(800 0) scale(-1 1)' }) : figure;
}

const paletteAt = (index: number): Colors => PALETTES[index % PALETTES.length] ?? PALETTES[0];

/**
 * A creator's portrait for a board 1000 units wide: the tall crop shows head and shoulders, the square crop the head.
 */
export function portraitOf(looks: PortraitLooks, random: Random, crop: 'tall' | 'square', boardHeight: number): string {
  const c = paletteAt(looks.palette);
  const flip = random.chance(0.5);
  const [dx, dy, r] = [400 + random.between(-45, 45), 390 + random.between(-35, 35), 300];
  const figure = circle(dx, dy, r, c.disc) + person({ colors: c, looks, flip, eyes: 'closed' });
  const scale = 1.4;
  const [cx, cy] = [500, boardHeight * (crop === 'tall' ? 0.47 : 0.52)];
  return (
    rect(0, 0, 1000, boardHeight, c.ground) +
    group(figure, {
      transform: `translate(${n(cx - 400 * scale)} ${n(cy - (crop === 'tall' ? 500 : 445) * scale)}) scale(${scale})`,
    })
  );
}

function randomPerson(random: Random, colors: Colors, theme: Theme): Person {
  const man = theme.words.some((word) => /^(man|father|brother|king|uncle|sailor|grandfather)s?$/.test(word));
  const woman = theme.words.some((word) => /^(woman|mother|sister|queen|aunt|girl|widow|grandmother)s?$/.test(word));
  const hair = man ? random.pick([2, 4, 4, 7]) : woman ? random.pick([1, 2, 3, 5, 6, 7]) : random.int(0, 7);
  const extra = man
    ? random.pick([0, 1, 3, 3])
    : woman
      ? random.pick([0, 1, 2, 4])
      : random.pick([2, 4, 7].includes(hair) ? [0, 1, 3, 3] : [0, 1, 2, 4]);
  return {
    colors,
    looks: { palette: 0, hair, accessory: extra },
    flip: random.chance(0.5),
    eyes: random.pick(['closed', 'closed', 'open', 'away']),
  };
}

/**
 * Combines skin and hair of one palette with cloth and ground of another, so that there are more people than palettes.
 */
function blend(random: Random): Colors {
  const [body, cloth] = [random.pick(PALETTES), random.pick(PALETTES)];
  return { ...body, ground: cloth.ground, disc: cloth.disc, top: random.chance(0.5) ? cloth.top : body.top };
}

const at = (content: string, x: number, y: number, scale: number, turn = 0): string =>
  group(content, {
    transform: `translate(${n(x)} ${n(y)}) rotate(${n(turn)}) scale(${scale.toFixed(3)}) translate(-400 -460)`,
  });

type Scene = (random: Random, theme: Theme, c: Colors, height: number) => string;

/** The background behind the head. */
function backdrop(random: Random, theme: Theme, c: Colors, height: number): string {
  const cy = height * 0.44;
  const draw = choose(theme, random, [
    {
      words: 'moon sun dream halo saint',
      value: () =>
        circle(500 + random.between(-130, 130), cy + random.between(-60, 60), random.between(290, 400), c.disc),
    },
    {
      words: 'news good glory singer stage opera',
      value: () =>
        Array.from({ length: 18 }, (_, i) =>
          path(
            `M500 ${n(cy)}L${n(500 + Math.cos(i * 0.349) * 1200)} ${n(cy + Math.sin(i * 0.349) * 1200)}L${n(500 + Math.cos(i * 0.349 + 0.175) * 1200)} ${n(cy + Math.sin(i * 0.349 + 0.175) * 1200)}Z`,
            c.disc,
          ),
        ).join(''),
    },
    {
      words: 'platform train door waiting hotel church',
      value: () =>
        path(`M150 ${n(height)}V${n(height * 0.46)}a350 350 0 0 1 700 0V${n(height)}Z`, c.disc) +
        path(`M215 ${n(height)}V${n(height * 0.47)}a285 285 0 0 1 570 0V${n(height)}Z`, mix(c.disc, c.ground, 0.45)),
    },
    {
      words: 'night stars star sleep midnight',
      value: () => {
        let out = circle(random.between(180, 820), height * 0.22, random.between(80, 140), c.disc);
        for (let i = 0; i < 60; i += 1)
          out += circle(random.next() * 1000, random.next() * height, random.between(2, 8), lighten(c.disc, 0.4));
        return out;
      },
    },
    { words: 'garden leaves summer forest spring', value: () => leaves(random, c, height) },
    {
      words: 'ending stripes understudy rain office',
      value: () => Array.from({ length: 8 }, (_, i) => rect(i * 125, 0, 62, height, c.disc)).join(''),
    },
    {
      words: 'sea waves sailor lighthouse swimmer',
      value: () => {
        let out = circle(500 + random.between(-220, 220), height * 0.34, 170, c.disc);
        for (let row = 0; row < 7; row += 1)
          for (let x = row % 2 === 0 ? -60 : 0; x < 1060; x += 120)
            out += circle(x, height * 0.6 + row * 56, 62, row % 2 === 0 ? c.disc : mix(c.disc, c.ground, 0.5));
        return out;
      },
    },
    {
      words: 'mirror square window picture half',
      value: () =>
        rect(random.chance(0.5) ? 0 : 500, 0, 500, height, c.disc) +
        rect(0, height * 0.72, 1000, height * 0.28, mix(c.disc, c.ground, 0.5)),
    },
  ]);
  return draw();
}

function leaves(random: Random, c: Colors, height: number): string {
  let out = '';
  for (let i = 0; i < 26; i += 1) {
    const [x, y, a, l] = [random.next() * 1000, random.next() * height, random.next() * 360, random.between(120, 260)];
    out += path(
      `M0 0C${n(l * 0.32)} ${n(-l * 0.3)} ${n(l * 0.3)} ${n(-l * 0.75)} 0 ${n(-l)}C${n(-l * 0.3)} ${n(-l * 0.75)} ${n(-l * 0.32)} ${n(-l * 0.3)} 0 0Z`,
      i % 3 === 0 ? mix(c.disc, c.ground, 0.4) : c.disc,
      { transform: `translate(${n(x)} ${n(y)}) rotate(${n(a)})` },
    );
  }
  return out;
}

const single: Scene = (random, theme, c, height) =>
  backdrop(random, theme, c, height) +
  at(
    person(randomPerson(random, c, theme)),
    random.between(440, 560),
    height * random.between(0.44, 0.5),
    random.between(0.98, 1.3),
    random.between(-5, 5),
  );

const closeUp: Scene = (random, theme, c, height) =>
  backdrop(random, theme, c, height) +
  at(
    person({ ...randomPerson(random, c, theme), eyes: random.pick(['open', 'away', 'closed']) }),
    random.pick([250, 400, 600, 760]),
    height * random.between(0.5, 0.6),
    random.between(1.7, 2.2),
    random.between(-12, 12),
  );

const pair: Scene = (random, theme, c, height) => {
  const other = { ...blend(random), ground: c.ground, disc: c.disc };
  const left: Person = { ...randomPerson(random, c, theme), flip: true };
  const right: Person = { ...randomPerson(random, { ...other, top: lighten(other.top, 0.1) }, theme), flip: false };
  return (
    backdrop(random, theme, c, height) +
    at(person(right), 690, height * random.between(0.4, 0.48), 0.92, random.between(0, 7)) +
    at(person(left), 310, height * random.between(0.46, 0.54), 0.98, random.between(-9, 0))
  );
};

/** A small person under a large sky. */
const distant: Scene = (random, theme, c, height) => {
  const x = random.pick([300, 500, 700]);
  const horizon = height * 0.8;
  return (
    circle(500 + random.between(-160, 160), height * random.between(0.36, 0.46), random.between(300, 380), c.disc) +
    rect(0, horizon, 1000, height - horizon, mix(c.ground, c.disc, 0.45)) +
    rect(0, horizon, 1000, 6, mix(c.ground, c.shadow, 0.6)) +
    at(person(randomPerson(random, c, theme)), x, height * 0.62, 0.6)
  );
};

/** The same face four times, in four colours. */
const prints: Scene = (random, theme, c, height) => {
  const who = randomPerson(random, c, theme);
  const sheets = random.shuffle(PALETTES).slice(0, 4);
  let out = '';
  for (let i = 0; i < 4; i += 1) {
    const sheet = sheets[i] ?? c;
    const [x, y] = [(i % 2) * 500, Math.floor(i / 2) * (height / 2)];
    out += `<clipPath id="pr${i}"><rect x="${x}" y="${n(y)}" width="500" height="${n(height / 2)}"/></clipPath>`;
    out += group(
      rect(x, y, 500, height / 2, sheet.ground) +
        circle(x + 250, y + height * 0.22, 190, sheet.disc) +
        at(person({ ...who, colors: sheet }), x + 250, y + height * 0.25, 0.66),
      { 'clip-path': `url(#pr${i})` },
    );
  }
  return out;
};

/** Split-light portraits of invented people. */
export const portrait: Painter = ({ random, theme, height }) => {
  const c = blend(random);
  const compose = choose(theme, random, [
    { words: 'someone who cellist understudy singer pianist waiter baker', value: single },
    { words: 'eyes close face stare listening secret dream', value: closeUp },
    { words: 'sister sisters two couple twins lovers brothers friends us', value: pair },
    { words: 'waiting alone far news lighthouse stranger desert', value: distant },
    { words: 'four ending times mirror copies twice passport', value: prints },
  ]);
  return rect(0, 0, 1000, height, c.ground) + compose(random, theme, c, height);
};

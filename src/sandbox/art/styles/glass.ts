import { darken, lighten, mix, type Hex } from '../color.js';
import { at, circle, clipped, ellipse, group, linear, path, polyline, radial, rect, repeat, ROUND } from '../svg.js';
import { ROUND_ENDS, stroke, svg, turned, wash, type Board, type Drawing, type Painter } from '../svg.js';
import { choose } from '../theme.js';

const FLAVOURS: Readonly<Record<string, readonly [Hex, Hex, Hex, Hex, Hex]>> = {
  'windowsill peach soft boiled sunset orange': ['#ffd9c7', '#ff8a5c', '#f24c7c', '#7b4bd6', '#ffe9a8'],
  'lemonade lemon physics mint pool summer': ['#c9f0ea', '#38b6a6', '#1f6fd1', '#f7c948', '#ff7aa2'],
  'night moon planets disco neon midnight': ['#2a1140', '#ff5d8f', '#ffb86b', '#7a5cff', '#56e0ff'],
  'lavender dream cloud violet sleepy': ['#f3e3ff', '#b388ff', '#ff80ab', '#ffd180', '#80d8ff'],
  'cherry red strawberry jam valentine slow': ['#ffe3de', '#e5383b', '#ff758f', '#8c1c3a', '#ffd6a5'],
  'lime apple sour green pear kiwi': ['#eef7d2', '#8ac926', '#2a9d5c', '#ffd23f', '#ff7b54'],
  'bubblegum pink rose cotton blush': ['#ffe1ef', '#ff5fa2', '#ff9ecb', '#8f5bff', '#7fe7ff'],
  'caramel honey toffee gold amber butter': ['#fff0d2', '#f29f3d', '#b5541c', '#ffd166', '#e76f51'],
};

const WHITE = '#ffffff';
const CREAM = '#fff6ee';

/** A gradient from left to right. */
const SIDEWAYS = { x2: 1, y2: 0 };

/** A light from the upper left, in the shape that it lights. */
const lit = (r: number): { cx: number; cy: number; r: number } => ({ cx: 0.34, cy: 0.28, r });

type Sugar = ReturnType<typeof sugar>;

function sugar(board: Board) {
  const [air, a, b, c, d] = choose(board.theme, board.random, FLAVOURS);
  return { ...board, air, candies: [a, b, c, d] as const, shade: darken(mix(c, air, 0.15), 0.4) };
}

const candy = (s: Sugar, index: number): Hex => s.candies[index % 4] ?? s.air;

const backdrop = (s: Sugar): Drawing => [
  wash('bg', 0, s.height, { 0: s.air, 100: mix(s.air, candy(s, 2), 0.5) }, { x2: 0.6 }),
  radial('so', { 0: [s.shade, 0.42], 45: [s.shade, 0.27], 100: [s.shade, 0] }),
  radial('gl', { 0: WHITE, 60: [WHITE, 0.95], 100: [WHITE, 0] }),
];

/** The table below the objects. */
function table(s: Sugar, y: number): Drawing {
  const top = mix(s.air, candy(s, 3), 0.4);
  return wash('tb', y, s.height, { 0: lighten(top, 0.25), 100: mix(top, s.shade, 0.35) });
}

/** The shadow of a round object, fading towards its edge. */
const softShadow = (x: number, y: number, rx: number, ry: number): Drawing =>
  ellipse(x, y, rx * 1.4, ry * 1.4 + 14, 'url(#so)');

const gloss = (x: number, y: number, rx: number, ry: number, degrees: number, opacity = 0.86): Drawing =>
  ellipse(0, 0, rx * 1.15, ry * 1.15, 'url(#gl)', { 'fill-opacity': opacity, ...at(x, y, degrees) });

/** A circle with radius 100 around the origin, as the shape of a clip or with a fill. */
const disc = (fill: string): string => circle(0, 0, 100, fill);

type Pattern = 'plain' | 'stripes' | 'swirl' | 'core';

const PATTERNS: readonly Pattern[] = ['plain', 'stripes', 'swirl', 'core'];

/** The marks inside a ball with radius 100 around the origin. */
function marksOf(s: Sugar, id: string, index: number, pattern: Pattern): Drawing {
  const d = candy(s, index + 1);
  const core = candy(s, index + 2);
  switch (pattern) {
    case 'stripes':
      return [-3, -2, -1, 0, 1, 2, 3].map((i) =>
        stroke(svg`M${i * 32} -100Q${i * 62} 0 ${i * 32} 100`, '#fff', 11, { 'stroke-opacity': 0.6 }),
      );
    case 'swirl':
      return repeat(6, (i) => stroke('M0 0q40 -50 100 -20', '#fff', 20, { 'stroke-opacity': 0.65, ...turned(i * 60) }));
    case 'core':
      return [
        radial(`${id}k`, { 0: core, 40: [core, 0.9], 50: [d, 0.85], 80: [d, 0.7], 100: [d, 0] }),
        circle(5, 8, 55, `url(#${id}k)`),
      ];
    case 'plain':
      return [];
  }
}

/** A ball of boiled sugar. `id` must be unique: the ids of its gradients begin with it. */
function ball(s: Sugar, id: string, x: number, y: number, r: number, index: number, pattern: Pattern): Drawing {
  const c = candy(s, index);
  const d = candy(s, index + 1);
  const inside = (): Drawing => [
    clipped(`${id}c`, disc('#000'), group(marksOf(s, id, index, pattern), turned(s.random.int(-40, 40)))),
    radial(`${id}s`, { 0: [WHITE, 0.25], 45: [WHITE, 0], 100: [darken(d, 0.45), 0.6] }, lit(0.9)),
    disc(`url(#${id}s)`),
  ];
  const parts = [
    radial(`${id}b`, { 0: lighten(c, 0.62), 38: c, 78: mix(c, d, 0.7), 100: darken(d, 0.3) }, lit(0.86)),
    circle(0, 0, 100, `url(#${id}b)`, { 'fill-opacity': 0.95 }),
    pattern === 'plain' ? [] : inside(),
    stroke('M-20 86A90 90 0 0 0 86 10', lighten(d, 0.7), 6, { 'stroke-opacity': 0.5, ...ROUND_ENDS }),
    gloss(-38, -46, 26, 13, -38),
  ];
  return [softShadow(x + r * 0.2, y + r * 0.75, r * 0.9, r * 0.5), group(parts, at(x, y, 0, r / 100))];
}

function balls(s: Sugar): Drawing {
  const { random, height } = s;
  const count = s.theme.count ?? random.int(5, 13);
  const [smallest, largest] = random.pick([
    [50, 150],
    [60, 280],
    [90, 180],
  ] as const);
  const placed: { x: number; y: number; r: number }[] = [];
  for (let i = 0; i < count * 12 && placed.length < count; i += 1) {
    const r = smallest + random.next() ** 2 * (largest - smallest);
    const { x, y } = random.point(r * 0.4, 1000 - r * 0.4, r * 0.4, height - r * 0.4);
    if (placed.every((b) => Math.hypot(b.x - x, b.y - y) > (b.r + r) * 0.8)) placed.push({ x, y, r });
  }
  placed.sort((a, b) => a.r - b.r);
  const mostly = random.pick(PATTERNS);
  return placed.map(({ x, y, r }, i) =>
    ball(s, `b${i}`, x, y, r, i, random.chance(0.6) ? mostly : random.pick(PATTERNS)),
  );
}

/** A spiral from the origin to a radius of 104. */
const SPIRAL = polyline(repeat(66, (i) => ({ x: Math.cos(i * 0.4) * i * 1.6, y: Math.sin(i * 0.4) * i * 1.6 })));

/** The marks of a lollipop with radius 100 around the origin: blades, a spiral or rings. */
function lollipopMarks({ random }: Sugar, color: Hex): Drawing {
  const kind = random.int(0, 2);
  if (kind === 1) return [stroke(SPIRAL, CREAM, 12, ROUND_ENDS), stroke(SPIRAL, color, 5, ROUND_ENDS)];
  if (kind === 2) return [82, 60, 38, 16].map((r, i) => circle(0, 0, r, i % 2 === 0 ? CREAM : color));
  const blades = random.int(6, 9);
  const blade = 'M0 0C50 -60 110 -50 130 30L120 75C100 -10 50 -30 0 0Z';
  return repeat(blades, (i) => path(blade, i % 2 === 0 ? color : CREAM, turned((360 / blades) * i)));
}

/** Upright lollipops, like a small forest. */
function lollipops(s: Sugar): Drawing {
  const { random, height } = s;
  const count = s.theme.count ?? random.int(3, 6);
  const order = repeat(count, (i) => i).sort((a, b) => (a % 2) - (b % 2));
  return order.map((i) => {
    const r = random.between(90, 165) * (i % 2 === 0 ? 0.9 : 1.1) * Math.min(1.3, 3.4 / count + 0.35);
    const x = 1000 * ((i + 0.5) / count) + random.between(-26, 26);
    const y = height * random.between(0.26, 0.56);
    const lean = random.between(-4, 4);
    const color = candy(s, i + 1);
    const id = `l${i}`;
    const head = [
      disc(candy(s, i)),
      clipped(id, disc('#000'), lollipopMarks(s, color)),
      radial(`${id}s`, { 0: [WHITE, 0.4], 50: [WHITE, 0], 100: [darken(color, 0.5), 0.55] }, lit(0.85)),
      disc(`url(#${id}s)`),
      gloss(-40, -48, 24, 12, -38),
    ];
    const lollipop = [
      rect(x - 8, y, 16, height - y + 60, '#fffaf2', { rx: 8 }),
      rect(x + 1, y, 7, height - y + 60, s.shade, { 'fill-opacity': 0.18 }),
      softShadow(x + r * 0.16, y + r * 0.3, r, r * 0.95),
      group(head, at(x, y, 0, r / 100)),
    ];
    return group(lollipop, turned(lean, x, height));
  });
}

/** A filled jar. */
function jar(s: Sugar): Drawing {
  const { random, height } = s;
  const shelf = height * 0.86;
  const w = random.between(250, 320);
  const tall = height * random.between(0.56, 0.66);
  const cx = random.between(430, 570);
  const top = shelf - tall;
  const left = svg`H${60 - w}Q${-w} ${tall} ${-w} ${tall - 60}V140Q${-w} 60 ${-w * 0.7} 0Z`;
  const right = svg`M${-w * 0.7} 0H${w * 0.7}Q${w} 60 ${w} 140V${tall - 60}Q${w} ${tall} ${w - 60} ${tall}`;
  const glass = right + left;
  const sweets: Drawing[] = [];
  const r = random.between(44, 76);
  let index = 0;
  for (let y = tall - r * 0.9; y > tall * random.between(0.2, 0.34); y -= r * 1.55) {
    for (let x = r * (index % 2 === 0 ? 0.8 : 1.6) - w; x < w - r * 0.4; x += r * 1.85) {
      const place = random.point(x - 8, x + 8, y - 12, y + 12);
      const size = random.between(0.85, 1.05);
      sweets.push(ball(s, `j${index}`, place.x, place.y, r * size, random.int(0, 3), random.pick(PATTERNS)));
      index += 1;
    }
  }
  const lid = candy(s, 1);
  const jar = [
    path(glass, WHITE, { 'fill-opacity': 0.3 }),
    clipped('jar', path(glass, WHITE), sweets),
    path(glass, 'none', { stroke: WHITE, 'stroke-width': 9, 'stroke-opacity': 0.75 }),
    rect(-w * 0.82, 120, 34, tall * 0.6, '#fff', { rx: 17, 'fill-opacity': 0.55 }),
    rect(w * 0.84, 150, 14, tall * 0.4, '#fff', { rx: 7, 'fill-opacity': 0.5 }),
    linear('lid', { 0: lighten(lid, 0.5), 50: lid, 100: darken(lid, 0.3) }, SIDEWAYS),
    rect(-w * 0.76, -74, w * 1.52, 82, 'url(#lid)', { rx: 16 }),
    rect(-w * 0.76, -34, w * 1.52, 8, darken(lid, 0.3), { 'fill-opacity': 0.4 }),
  ];
  const loose = (i: number): Drawing => {
    const x = cx + (i - 1) * 330 + random.between(-40, 40);
    const y = shelf + height * 0.05 + (i === 1 ? 20 : 0);
    return ball(s, `t${i}`, x, y, r * 0.9, i, random.pick(PATTERNS));
  };
  return [table(s, shelf - 40), softShadow(cx + 60, shelf, w * 1.2, 40), group(jar, at(cx, top)), repeat(3, loose)];
}

/** A tower of jelly. */
function jelly(s: Sugar): Drawing {
  const { random, height } = s;
  const plate = height * 0.84;
  const cx = random.between(450, 550);
  const layers = s.theme.count ? Math.min(5, Math.max(2, s.theme.count)) : random.int(3, 5);
  const h = (height * 0.62) / layers;
  const foot = (layer: number): number => plate - 6 - layer * (h - 4);
  const top = foot(layers);
  return [
    table(s, plate - 50),
    softShadow(cx, plate + 20, 400, 60),
    ellipse(cx, plate, 380, 52, WHITE),
    ellipse(cx, plate - 8, 330, 38, mix(WHITE, s.air, 0.6)),
    repeat(layers, (i) => group(jellyLayer(s, i, 300 * (1 - (i / layers) * 0.62), h), at(cx, foot(i)))),
    ball(s, 'top', cx, top - 46, 62, layers, 'plain'),
    stroke(svg`M${cx + 6} ${top - 100}q20 -70 74 -92`, '#3e7d4c', 8, ROUND_ENDS),
  ];
}

/** A layer `w` units wide to each side and `h` units high; the middle of its foot is at the origin. */
function jellyLayer(s: Sugar, index: number, w: number, h: number): Drawing {
  const { random } = s;
  const c = candy(s, index);
  const sway = random.between(-16, 16);
  const left = svg`M${-w} 0C${-w * 1.06 + sway} ${-h * 0.6} ${-w * 0.9 + sway} ${-h} ${-w * 0.72 + sway} ${-h}`;
  const right = svg`H${w * 0.72 + sway}C${w * 0.9 + sway} ${-h} ${w * 1.06 + sway} ${-h * 0.6} ${w} 0`;
  const flutes = random.int(4, 7);
  const flute = (i: number): Drawing => {
    const x = -1 + (2 * (i + 1)) / flutes;
    const end = svg`${x * w * 0.98 + sway} ${-h * 0.6} ${x * w * 0.7 + sway} ${8 - h}`;
    const color = i % 2 === 0 ? darken(c, 0.4) : WHITE;
    const soft = { 'stroke-opacity': 0.22, ...ROUND_ENDS };
    return stroke(svg`M${x * w * 0.96} ${20 * (1 - x * x)}Q${end}`, color, 10, soft);
  };
  const colors = { 0: lighten(c, 0.5), 25: c, 70: mix(c, candy(s, index + 1), 0.35), 100: darken(c, 0.35) };
  return [
    linear(`y${index}`, colors, { x2: 1, y2: 0.25 }),
    path(svg`${left}${right}Q0 44 ${-w} 0Z`, `url(#y${index})`, { 'fill-opacity': 0.93 }),
    repeat(flutes - 1, flute),
    ellipse(sway, 2 - h, w * 0.72, 17, lighten(c, 0.55), { 'fill-opacity': 0.85 }),
    gloss(-w * 0.62 + sway, -h * 0.58, w * 0.05, h * 0.24, 9, 0.8),
  ];
}

/** Ice lollies on sticks. */
function popsicles(s: Sugar): Drawing {
  const { random, height } = s;
  const count = s.theme.count ? Math.min(6, s.theme.count) : random.int(2, 4);
  return repeat(count, (i) => {
    const w = Math.min(250, 760 / count);
    const h = height * random.between(0.42, 0.54);
    const x = 1000 * ((i + 0.5) / count);
    const y = height * random.between(0.12, 0.22);
    const lolly = group(popsicle(s, `p${i}`, w, h), at(0, -h / 2));
    return group(lolly, at(x, y + h / 2, random.between(-14, 14)));
  });
}

/** An ice lolly `w` units wide and `h` units high; the middle of its top is at the origin. */
function popsicle(s: Sugar, id: string, w: number, h: number): Drawing {
  const { random } = s;
  const flavours = random.shuffle([0, 1, 2, 3]);
  const flavour = (index: number): Hex => candy(s, flavours[index] ?? 0);
  const half = w / 2;
  const top = svg`M${-half} ${half}a${half} ${half} 0 0 1 ${w} 0V${h - 26}`;
  const shape = svg`${top}q0 26 -26 26H${26 - half}q-26 0 -26 -26Z`;
  const layers = random.int(2, 4);
  const layer = (k: number): Drawing => {
    const wave = svg`q${half} ${random.between(-34, 34)} ${w} 0t${w} 0`;
    return path(svg`M${-w} ${(h * k) / layers}${wave}V${h + 30}H${-w}Z`, flavour(k));
  };
  const berry = (): Drawing => {
    const { x, y } = random.point(-0.45 * w, 0.45 * w, 0, h);
    const r = random.between(5, 15);
    return circle(x, y, r, random.chance(0.5) ? WHITE : flavour(3), { 'fill-opacity': 0.8 });
  };
  const groove = (x: number): Drawing =>
    rect(x, h * 0.16, w * 0.12, h * 0.72, s.shade, { rx: w * 0.06, 'fill-opacity': 0.16 });
  const ice = [
    rect(-w, 0, w * 2, h + 20, flavour(0)),
    repeat(layers - 1, (k) => layer(k + 1)),
    random.chance(0.6) ? repeat(12, berry) : [],
    groove(-w * 0.26),
    groove(w * 0.14),
  ];
  const drip = svg`M${w * 0.2} ${h - 4}q6 40 -2 66q-10 26 -20 0q-6 -26 0 -66Z`;
  const light = { 0: [WHITE, 0.5], 30: [WHITE, 0], 75: ['#000000', 0], 100: ['#000000', 0.28] } as const;
  return [
    softShadow(26, h * 0.56, w * 0.62, h * 0.56),
    linear(`${id}k`, { 0: '#c9986a', 40: '#efcfa0', 100: '#c08a58' }, SIDEWAYS),
    rect(-w * 0.11, h - 4, w * 0.22, h * 0.42, `url(#${id}k)`, { rx: w * 0.1 }),
    clipped(id, path(shape, WHITE), ice),
    linear(`${id}g`, light, { x2: 1, y2: 0.15 }),
    path(shape, `url(#${id}g)`),
    gloss(-w * 0.32, h * 0.26, w * 0.05, h * 0.13, 4),
    random.chance(0.5) ? path(drip, flavour(layers - 1)) : [],
  ];
}

/** A ribbon of sugar, folded back and forth. */
function ribbon(s: Sugar): Drawing {
  const { random, height } = s;
  const folds = random.int(3, 5);
  const row = (index: number): Drawing => {
    const phase = random.between(0, 6.3);
    const base = height * (0.3 + 0.42 * index);
    const points = repeat(161, (i) => {
      const t = i / 160;
      const angle = (i / 160) * folds * 6.3 + phase;
      return { x: -60 + 1120 * t + Math.sin(angle) * 120, y: base + Math.cos(angle) * height * 0.15 };
    });
    const width = random.between(120, 170);
    // Drawn in short pieces, so that each fold covers the previous one.
    const piece = (i: number): Drawing => {
      const facing = Math.sin((i / 80) * folds * 6.3 + phase);
      const line = polyline(points.slice(i * 2, i * 2 + 4));
      return repeat(9, (band) => {
        const color = band % 2 === 0 ? candy(s, index * 2 + (band % 4 === 0 ? 0 : 1)) : CREAM;
        const tone = facing > 0 ? lighten(color, facing * 0.22) : darken(color, -facing * 0.16);
        return stroke(line, tone, width / 9 + 2.5, at(0, (band / 8 - 0.5) * width));
      });
    };
    return [
      stroke(polyline(points), s.shade, width * 0.8, { 'stroke-opacity': 0.16, ...ROUND, ...at(20, 70) }),
      repeat(80, piece),
    ];
  };
  const sweet = (i: number): Drawing => {
    const { x, y } = random.point(0, 1000, height * 0.08, height * 0.94);
    const r = random.between(26, 60);
    return ball(s, `r${i}`, x, y, r, i, random.pick(PATTERNS));
  };
  return [repeat(2, row), repeat(5, sweet)];
}

/** A cold drink with bubbles, ice and a straw. */
function soda(s: Sugar): Drawing {
  const { height } = s;
  const shelf = height * 0.88;
  const count = s.theme.count ? Math.min(4, s.theme.count) : s.random.int(1, 3);
  const tumbler = (i: number): Drawing => {
    const w = Math.min(190, 420 / count + 40);
    const tall = height * s.random.between(0.5, 0.66);
    return group(drink(s, i, w, tall), at(1000 * ((i + 0.5) / count), shelf - tall));
  };
  return [table(s, shelf - 60), repeat(count, tumbler)];
}

/** A glass `w` units wide to each side and `tall` units high; the middle of its rim is at the origin. */
function drink(s: Sugar, index: number, w: number, tall: number): Drawing {
  const { random } = s;
  const id = `g${index}`;
  const color = candy(s, index);
  const next = candy(s, index + 1);
  const fruit = candy(s, 2);
  const left = svg`M${-w} 0L${-w * 0.72} ${tall - 20}Q${-w * 0.7} ${tall} ${-w * 0.5} ${tall}`;
  const right = svg`H${w * 0.5}Q${w * 0.7} ${tall} ${w * 0.72} ${tall - 20}L${w} 0Z`;
  const wall = left + right;
  const straw = svg`M${-w * 0.2} ${tall - 40}L${w * 0.5} -120l${w * 0.5} -40`;
  const level = tall * 0.16;
  const frost = { rx: 16, 'fill-opacity': 0.42, stroke: WHITE, 'stroke-width': 4 };
  const cube = (i: number): Drawing => {
    const place = at(random.between(-0.55, 0.55) * w, level + 30 + i * 46, random.int(-40, 40));
    return rect(-44, -44, 88, 88, WHITE, { ...frost, ...place });
  };
  const bubble = (): Drawing => {
    const { x, y } = random.point(-0.8 * w, 0.8 * w, level, level + tall * 0.8);
    return circle(x, y, random.between(3, 11), '#fff', { 'fill-opacity': random.between(0.3, 0.8) });
  };
  const inside = [
    rect(-w, level, w * 2, tall, `url(#${id}l)`, { 'fill-opacity': 0.85 }),
    repeat(4, cube),
    repeat(44, bubble),
    ellipse(0, level, w * 0.96, 16, WHITE, { 'fill-opacity': 0.55 }),
  ];
  const wedge = (i: number): Drawing =>
    path('M0 -3L15 -49A50 50 0 0 0 -15 -49Z', fruit, { 'fill-opacity': 0.85, ...turned(i * 60) });
  const slice = [circle(0, 0, 66, fruit), circle(0, 0, 56, CREAM), repeat(6, wedge)];
  const shine = svg`M${-w * 0.84} 40L${-w * 0.64} ${tall - 60}h24L${-w * 0.7} 40Z`;
  return [
    softShadow(70, tall, w * 1.2, 34),
    stroke(straw, WHITE, 22, { 'stroke-linejoin': 'round' }),
    stroke(straw, next, 22, { 'stroke-dasharray': '26 26', 'stroke-linejoin': 'round' }),
    linear(`${id}l`, { 0: lighten(color, 0.3), 45: color, 100: next }),
    clipped(id, path(wall, WHITE), inside),
    path(wall, WHITE, { 'fill-opacity': 0.14, stroke: WHITE, 'stroke-width': 7, 'stroke-opacity': 0.8 }),
    path(shine, '#fff', { 'fill-opacity': 0.5 }),
    group(slice, at(-w * 0.86, 6)),
  ];
}

/** Glass and sugar: marbles, lollipops, jars, jellies, ices, ribbons and sodas. */
export const glass: Painter = (board) => {
  const s = sugar(board);
  const compose = choose(board.theme, board.random, {
    'planets marbles bubbles physics atoms balloons gumballs': balls,
    'lollipop lollipops hard forest parade fair carnival': lollipops,
    'jar boiled windowsill shop sweets shelf kept': jar,
    'jelly jam cake pudding wobble birthday slow tower': jelly,
    'popsicle popsicles ice melt melting frozen summer beach heatwave': popsicles,
    'ribbon silk toffee pull wave roller taffy sugar': ribbon,
    'lemonade soda drink cocktail fizz straw glass thirsty': soda,
  });
  return [backdrop(s), compose(s)];
};

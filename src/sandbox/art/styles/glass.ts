import { darken, lighten, mix, type Hex } from '../color.js';
import {
  circle,
  clip,
  ellipse,
  group,
  linear,
  n,
  path,
  radial,
  rect,
  stroke,
  type Board,
  type Painter,
  type Point,
} from '../svg.js';
import { choose } from '../theme.js';

interface Sugar extends Board {
  readonly air: Hex;
  readonly candies: readonly [Hex, Hex, Hex, Hex];
  readonly shade: Hex;
}

const FLAVOURS: readonly { readonly words: string; readonly value: readonly [Hex, Hex, Hex, Hex, Hex] }[] = [
  {
    words: 'windowsill peach soft boiled sunset orange',
    value: ['#ffd9c7', '#ff8a5c', '#f24c7c', '#7b4bd6', '#ffe9a8'],
  },
  { words: 'lemonade lemon physics mint pool summer', value: ['#c9f0ea', '#38b6a6', '#1f6fd1', '#f7c948', '#ff7aa2'] },
  { words: 'night moon planets disco neon midnight', value: ['#2a1140', '#ff5d8f', '#ffb86b', '#7a5cff', '#56e0ff'] },
  { words: 'lavender dream cloud violet sleepy', value: ['#f3e3ff', '#b388ff', '#ff80ab', '#ffd180', '#80d8ff'] },
  { words: 'cherry red strawberry jam valentine slow', value: ['#ffe3de', '#e5383b', '#ff758f', '#8c1c3a', '#ffd6a5'] },
  { words: 'lime apple sour green pear kiwi', value: ['#eef7d2', '#8ac926', '#2a9d5c', '#ffd23f', '#ff7b54'] },
  { words: 'bubblegum pink rose cotton blush', value: ['#ffe1ef', '#ff5fa2', '#ff9ecb', '#8f5bff', '#7fe7ff'] },
  { words: 'caramel honey toffee gold amber butter', value: ['#fff0d2', '#f29f3d', '#b5541c', '#ffd166', '#e76f51'] },
];

function sugar(board: Board): Sugar {
  const [air, a, b, c, d] = choose(board.theme, board.random, FLAVOURS);
  return { ...board, air, candies: [a, b, c, d], shade: darken(mix(c, air, 0.15), 0.4) };
}

const candy = (s: Sugar, index: number): Hex => s.candies[((index % 4) + 4) % 4] as Hex;

function backdrop(s: Sugar): string {
  return (
    linear(
      'bg',
      [
        [0, s.air],
        [1, mix(s.air, candy(s, 2), 0.5)],
      ],
      { x2: 0.6 },
    ) +
    rect(0, 0, 1000, s.height, 'url(#bg)') +
    radial('so', [
      [0, s.shade, 0.42],
      [0.45, s.shade, 0.27],
      [1, s.shade, 0],
    ]) +
    radial('gl', [
      [0, '#ffffff', 1],
      [0.6, '#ffffff', 0.95],
      [1, '#ffffff', 0],
    ])
  );
}

/** The table below the objects. */
function table(s: Sugar, y: number): string {
  const top = mix(s.air, candy(s, 3), 0.4);
  return (
    linear('tb', [
      [0, lighten(top, 0.25)],
      [1, mix(top, s.shade, 0.35)],
    ]) + rect(0, y, 1000, s.height - y, 'url(#tb)')
  );
}

/** The shadow of a round object, fading towards its edge. */
const softShadow = (x: number, y: number, rx: number, ry: number): string =>
  ellipse(x, y, rx * 1.4, ry * 1.4 + 14, 'url(#so)');

const gloss = (x: number, y: number, rx: number, ry: number, angle: number, opacity = 0.86): string =>
  ellipse(0, 0, rx * 1.15, ry * 1.15, 'url(#gl)', {
    'fill-opacity': opacity,
    transform: `translate(${n(x)} ${n(y)}) rotate(${angle})`,
  });

/** A ball of boiled sugar. */
function ball(
  s: Sugar,
  id: string,
  x: number,
  y: number,
  r: number,
  index: number,
  pattern: 'plain' | 'stripes' | 'swirl' | 'core',
): string {
  const [c, d] = [candy(s, index), candy(s, index + 1)];
  let out = softShadow(x + r * 0.2, y + r * 0.75, r * 0.9, r * 0.5);
  out +=
    radial(
      `${id}b`,
      [
        [0, lighten(c, 0.62)],
        [0.38, c],
        [0.78, mix(c, d, 0.7)],
        [1, darken(d, 0.3)],
      ],
      { cx: 0.34, cy: 0.28, r: 0.86 },
    ) + circle(x, y, r, `url(#${id}b)`, { 'fill-opacity': 0.95 });
  if (pattern !== 'plain') {
    out += clip(`${id}c`, `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}"/>`);
    let marks = '';
    if (pattern === 'stripes')
      for (let i = -3; i <= 3; i += 1)
        marks += stroke(
          `M${n(x + i * r * 0.32)} ${n(y - r)}Q${n(x + i * r * 0.62)} ${n(y)} ${n(x + i * r * 0.32)} ${n(y + r)}`,
          '#fff',
          r * 0.11,
          { 'stroke-opacity': 0.6 },
        );
    if (pattern === 'swirl')
      for (let i = 0; i < 6; i += 1)
        marks += stroke(`M${n(x)} ${n(y)}q${n(r * 0.4)} ${n(-r * 0.5)} ${n(r)} ${n(-r * 0.2)}`, '#fff', r * 0.2, {
          'stroke-opacity': 0.65,
          transform: `rotate(${i * 60} ${n(x)} ${n(y)})`,
        });
    if (pattern === 'core')
      marks +=
        radial(`${id}k`, [
          [0, candy(s, index + 2), 1],
          [0.4, candy(s, index + 2), 0.9],
          [0.5, d, 0.85],
          [0.8, d, 0.7],
          [1, d, 0],
        ]) + circle(x + r * 0.05, y + r * 0.08, r * 0.55, `url(#${id}k)`);
    out += group(marks, { 'clip-path': `url(#${id}c)`, transform: `rotate(${s.random.int(-40, 40)} ${n(x)} ${n(y)})` });
    out +=
      radial(
        `${id}s`,
        [
          [0, '#ffffff', 0.25],
          [0.45, '#ffffff', 0],
          [1, darken(d, 0.45), 0.6],
        ],
        { cx: 0.34, cy: 0.28, r: 0.9 },
      ) + circle(x, y, r, `url(#${id}s)`);
  }
  out += stroke(
    `M${n(x - r * 0.2)} ${n(y + r * 0.86)}A${n(r * 0.9)} ${n(r * 0.9)} 0 0 0 ${n(x + r * 0.86)} ${n(y + r * 0.1)}`,
    lighten(d, 0.7),
    r * 0.06,
    { 'stroke-opacity': 0.5, 'stroke-linecap': 'round' },
  );
  return out + gloss(x - r * 0.38, y - r * 0.46, r * 0.26, r * 0.13, -38);
}

const PATTERNS = ['plain', 'stripes', 'swirl', 'core'] as const;

function balls(s: Sugar): string {
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
    const [x, y] = [random.between(r * 0.4, 1000 - r * 0.4), random.between(r * 0.4, height - r * 0.4)];
    if (placed.every((b) => Math.hypot(b.x - x, b.y - y) > (b.r + r) * 0.8)) placed.push({ x, y, r });
  }
  placed.sort((a, b) => a.r - b.r);
  const mostly = random.pick(PATTERNS);
  return placed
    .map((b, i) => ball(s, `b${i}`, b.x, b.y, b.r, i, random.chance(0.6) ? mostly : random.pick(PATTERNS)))
    .join('');
}

/** Upright lollipops, like a small forest. */
function lollipops(s: Sugar): string {
  const { random, height } = s;
  const count = s.theme.count ?? random.int(3, 6);
  let out = '';
  const order = Array.from({ length: count }, (_, i) => i).sort((a, b) => (a % 2) - (b % 2));
  for (const i of order) {
    const near = i % 2;
    const r = random.between(90, 165) * (near ? 1.1 : 0.9) * Math.min(1.3, 3.4 / count + 0.35);
    const x = 1000 * ((i + 0.5) / count) + random.between(-26, 26);
    const y = height * random.between(0.26, 0.56);
    const lean = random.between(-4, 4);
    const [c, d] = [candy(s, i), candy(s, i + 1)];
    let pop =
      rect(x - 8, y, 16, height - y + 60, '#fffaf2', { rx: 8 }) +
      rect(x + 1, y, 7, height - y + 60, s.shade, { 'fill-opacity': 0.18 });
    pop += softShadow(x + r * 0.16, y + r * 0.3, r, r * 0.95) + circle(x, y, r, c);
    const kind = random.int(0, 2);
    const id = `l${i}`;
    pop += clip(id, `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}"/>`);
    if (kind === 0) {
      let marks = '';
      const blades = random.int(6, 9);
      for (let k = 0; k < blades; k += 1)
        marks += path(
          `M${n(x)} ${n(y)}C${n(x + r * 0.5)} ${n(y - r * 0.6)} ${n(x + r * 1.1)} ${n(y - r * 0.5)} ${n(x + r * 1.3)} ${n(y + r * 0.3)}L${n(x + r * 1.2)} ${n(y + r * 0.75)}C${n(x + r)} ${n(y - r * 0.1)} ${n(x + r * 0.5)} ${n(y - r * 0.3)} ${n(x)} ${n(y)}Z`,
          k % 2 === 0 ? d : '#fff6ee',
          { transform: `rotate(${n((360 / blades) * k)} ${n(x)} ${n(y)})` },
        );
      pop += group(marks, { 'clip-path': `url(#${id})` });
    } else if (kind === 1) {
      let spiral = `M${n(x)} ${n(y)}`;
      for (let a = 0; a < 26; a += 0.4)
        spiral += `L${n(x + Math.cos(a) * r * (a / 25))} ${n(y + Math.sin(a) * r * (a / 25))}`;
      pop += group(
        stroke(spiral, '#fff6ee', r * 0.12, { 'stroke-linecap': 'round' }) +
          stroke(spiral, d, r * 0.05, { 'stroke-linecap': 'round' }),
        { 'clip-path': `url(#${id})` },
      );
    } else {
      pop += group([0, 1, 2, 3].map((k) => circle(x, y, r * (0.82 - k * 0.22), k % 2 === 0 ? '#fff6ee' : d)).join(''), {
        'clip-path': `url(#${id})`,
      });
    }
    pop +=
      radial(
        `${id}s`,
        [
          [0, '#ffffff', 0.4],
          [0.5, '#ffffff', 0],
          [1, darken(d, 0.5), 0.55],
        ],
        { cx: 0.34, cy: 0.28, r: 0.85 },
      ) +
      circle(x, y, r, `url(#${id}s)`) +
      gloss(x - r * 0.4, y - r * 0.48, r * 0.24, r * 0.12, -38);
    out += group(pop, { transform: `rotate(${n(lean)} ${n(x)} ${n(height)})` });
  }
  return out;
}

/** A filled jar. */
function jar(s: Sugar): string {
  const { random, height } = s;
  const shelf = height * 0.86;
  const [w, tall] = [random.between(250, 320), height * random.between(0.56, 0.66)];
  const cx = random.between(430, 570);
  const top = shelf - tall;
  const body = `M${n(cx - w * 0.7)} ${n(top)}H${n(cx + w * 0.7)}Q${n(cx + w)} ${n(top + 60)} ${n(cx + w)} ${n(top + 140)}V${n(shelf - 60)}Q${n(cx + w)} ${n(shelf)} ${n(cx + w - 60)} ${n(shelf)}H${n(cx - w + 60)}Q${n(cx - w)} ${n(shelf)} ${n(cx - w)} ${n(shelf - 60)}V${n(top + 140)}Q${n(cx - w)} ${n(top + 60)} ${n(cx - w * 0.7)} ${n(top)}Z`;
  let sweets = '';
  const r = random.between(44, 76);
  let index = 0;
  for (let y = shelf - r * 0.9; y > top + tall * random.between(0.2, 0.34); y -= r * 1.55) {
    for (let x = cx - w + r * (index % 2 === 0 ? 0.8 : 1.6); x < cx + w - r * 0.4; x += r * 1.85) {
      sweets += ball(
        s,
        `j${index}`,
        x + random.between(-8, 8),
        y + random.between(-12, 12),
        r * random.between(0.85, 1.05),
        random.int(0, 3),
        random.pick(PATTERNS),
      );
      index += 1;
    }
  }
  const lid = candy(s, 1);
  let out = table(s, shelf - 40) + softShadow(cx + 60, shelf, w * 1.2, 40);
  out +=
    clip('jar', `<path d="${body}"/>`) +
    path(body, '#ffffff', { 'fill-opacity': 0.3 }) +
    group(sweets, { 'clip-path': 'url(#jar)' });
  out +=
    path(body, 'none', { stroke: '#ffffff', 'stroke-width': 9, 'stroke-opacity': 0.75 }) +
    rect(cx - w * 0.82, top + 120, 34, tall * 0.6, '#fff', { rx: 17, 'fill-opacity': 0.55 }) +
    rect(cx + w * 0.84, top + 150, 14, tall * 0.4, '#fff', { rx: 7, 'fill-opacity': 0.5 });
  out +=
    linear(
      'lid',
      [
        [0, lighten(lid, 0.5)],
        [0.5, lid],
        [1, darken(lid, 0.3)],
      ],
      { x2: 1, y2: 0 },
    ) +
    rect(cx - w * 0.76, top - 74, w * 1.52, 82, 'url(#lid)', { rx: 16 }) +
    rect(cx - w * 0.76, top - 34, w * 1.52, 8, darken(lid, 0.3), { 'fill-opacity': 0.4 });
  for (let i = 0; i < 3; i += 1)
    out += ball(
      s,
      `t${i}`,
      cx + (i - 1) * 330 + random.between(-40, 40),
      shelf + height * 0.05 + (i === 1 ? 20 : 0),
      r * 0.9,
      i,
      random.pick(PATTERNS),
    );
  return out;
}

/** A tower of jelly. */
function jelly(s: Sugar): string {
  const { random, height } = s;
  const plate = height * 0.84;
  const cx = random.between(450, 550);
  const layers = s.theme.count ? Math.min(5, Math.max(2, s.theme.count)) : random.int(3, 5);
  let out =
    table(s, plate - 50) +
    softShadow(cx, plate + 20, 400, 60) +
    ellipse(cx, plate, 380, 52, '#ffffff') +
    ellipse(cx, plate - 8, 330, 38, mix('#ffffff', s.air, 0.6));
  let y = plate - 6;
  for (let i = 0; i < layers; i += 1) {
    const w = 300 * (1 - (i / layers) * 0.62);
    const h = (height * 0.62) / layers;
    const c = candy(s, i);
    const sway = random.between(-16, 16);
    const d = `M${n(cx - w)} ${n(y)}C${n(cx - w * 1.06 + sway)} ${n(y - h * 0.6)} ${n(cx - w * 0.9 + sway)} ${n(y - h)} ${n(cx - w * 0.72 + sway)} ${n(y - h)}H${n(cx + w * 0.72 + sway)}C${n(cx + w * 0.9 + sway)} ${n(y - h)} ${n(cx + w * 1.06 + sway)} ${n(y - h * 0.6)} ${n(cx + w)} ${n(y)}Q${n(cx)} ${n(y + 44)} ${n(cx - w)} ${n(y)}Z`;
    out +=
      linear(
        `y${i}`,
        [
          [0, lighten(c, 0.5)],
          [0.25, c],
          [0.7, mix(c, candy(s, i + 1), 0.35)],
          [1, darken(c, 0.35)],
        ],
        { x2: 1, y2: 0.25 },
      ) + path(d, `url(#y${i})`, { 'fill-opacity': 0.93 });
    const flutes = random.int(4, 7);
    for (let k = 1; k < flutes; k += 1) {
      const at = -1 + (2 * k) / flutes;
      out += stroke(
        `M${n(cx + at * w * 0.96)} ${n(y + 20 * (1 - at * at))}Q${n(cx + at * w * 0.98 + sway)} ${n(y - h * 0.6)} ${n(cx + at * w * 0.7 + sway)} ${n(y - h + 8)}`,
        k % 2 === 0 ? '#ffffff' : darken(c, 0.4),
        10,
        { 'stroke-opacity': 0.22, 'stroke-linecap': 'round' },
      );
    }
    out +=
      ellipse(cx + sway, y - h + 2, w * 0.72, 17, lighten(c, 0.55), { 'fill-opacity': 0.85 }) +
      gloss(cx - w * 0.62 + sway, y - h * 0.58, w * 0.05, h * 0.24, 9, 0.8);
    y -= h - 4;
  }
  return (
    out +
    ball(s, 'top', cx, y - 46, 62, layers, 'plain') +
    stroke(`M${n(cx + 6)} ${n(y - 100)}q20 -70 74 -92`, '#3e7d4c', 8, { 'stroke-linecap': 'round' })
  );
}

/** Ice lollies on sticks. */
function popsicles(s: Sugar): string {
  const { random, height } = s;
  const count = s.theme.count ? Math.min(6, s.theme.count) : random.int(2, 4);
  let out = '';
  for (let i = 0; i < count; i += 1) {
    const [w, h] = [Math.min(250, 760 / count), height * random.between(0.42, 0.54)];
    const cx = 1000 * ((i + 0.5) / count);
    const y = height * random.between(0.12, 0.22);
    const flavours = random.shuffle([0, 1, 2, 3]);
    const id = `p${i}`;
    const shape = `M${n(cx - w / 2)} ${n(y + w / 2)}a${n(w / 2)} ${n(w / 2)} 0 0 1 ${n(w)} 0V${n(y + h - 26)}q0 26 -26 26H${n(cx - w / 2 + 26)}q-26 0 -26 -26Z`;
    let pop =
      softShadow(cx + 26, y + h * 0.56, w * 0.62, h * 0.56) +
      linear(
        `${id}k`,
        [
          [0, '#c9986a'],
          [0.4, '#efcfa0'],
          [1, '#c08a58'],
        ],
        { x2: 1, y2: 0 },
      ) +
      rect(cx - w * 0.11, y + h - 4, w * 0.22, h * 0.42, `url(#${id}k)`, { rx: w * 0.1 });
    pop += clip(id, `<path d="${shape}"/>`);
    let fill = rect(cx - w, y, w * 2, h + 20, candy(s, flavours[0] as number));
    const layers = random.int(2, 4);
    for (let k = 1; k < layers; k += 1) {
      const at = y + (h * k) / layers;
      fill += path(
        `M${n(cx - w)} ${n(at)}q${n(w * 0.5)} ${n(random.between(-34, 34))} ${n(w)} 0t${n(w)} 0V${n(y + h + 30)}H${n(cx - w)}Z`,
        candy(s, flavours[k % 4] as number),
      );
    }
    if (random.chance(0.6))
      for (let k = 0; k < 12; k += 1)
        fill += circle(
          cx + random.between(-0.45, 0.45) * w,
          y + random.next() * h,
          random.between(5, 15),
          random.chance(0.5) ? '#ffffff' : candy(s, flavours[3] as number),
          { 'fill-opacity': 0.8 },
        );
    fill +=
      rect(cx - w * 0.26, y + h * 0.16, w * 0.12, h * 0.72, s.shade, { rx: w * 0.06, 'fill-opacity': 0.16 }) +
      rect(cx + w * 0.14, y + h * 0.16, w * 0.12, h * 0.72, s.shade, { rx: w * 0.06, 'fill-opacity': 0.16 });
    pop +=
      group(fill, { 'clip-path': `url(#${id})` }) +
      linear(
        `${id}g`,
        [
          [0, '#ffffff', 0.5],
          [0.3, '#ffffff', 0],
          [0.75, '#000000', 0],
          [1, '#000000', 0.28],
        ],
        { x2: 1, y2: 0.15 },
      ) +
      path(shape, `url(#${id}g)`) +
      gloss(cx - w * 0.32, y + h * 0.26, w * 0.05, h * 0.13, 4);
    if (random.chance(0.5))
      pop += path(
        `M${n(cx + w * 0.2)} ${n(y + h - 4)}q6 40 -2 66q-10 26 -20 0q-6 -26 0 -66Z`,
        candy(s, flavours[(layers - 1) % 4] as number),
      );
    out += group(pop, { transform: `rotate(${n(random.between(-14, 14))} ${n(cx)} ${n(y + h / 2)})` });
  }
  return out;
}

/** A ribbon of sugar, folded back and forth. */
function ribbon(s: Sugar): string {
  const { random, height } = s;
  let out = '';
  const folds = random.int(3, 5);
  const rows = 2;
  for (let row = 0; row < rows; row += 1) {
    const points: Point[] = [];
    const [phase, base] = [random.between(0, 6.3), height * (0.3 + 0.42 * row)];
    for (let i = 0; i <= 160; i += 1) {
      const t = i / 160;
      points.push({
        x: -60 + 1120 * t + Math.sin(t * folds * 6.3 + phase) * 120,
        y: base + Math.cos(t * folds * 6.3 + phase) * height * 0.15,
      });
    }
    const bands = 9;
    const width = random.between(120, 170);
    out += stroke(
      points.map((p, i) => `${i === 0 ? 'M' : 'L'}${n(p.x + 20)} ${n(p.y + 70)}`).join(''),
      s.shade,
      width * 0.8,
      { 'stroke-opacity': 0.16, 'stroke-linejoin': 'round' },
    );
    // Drawn in short pieces, so that each fold covers the previous one.
    for (let i = 0; i < 160; i += 2) {
      const part = points.slice(i, i + 4);
      const facing = Math.sin((i / 160) * folds * 6.3 + phase);
      for (let b = 0; b < bands; b += 1) {
        const offset = (b / (bands - 1) - 0.5) * width;
        const color = b % 2 === 0 ? candy(s, row * 2 + (b % 4 === 0 ? 0 : 1)) : '#fff6ee';
        const tone = facing > 0 ? lighten(color, facing * 0.22) : darken(color, -facing * 0.16);
        out += stroke(
          part.map((p, k) => `${k === 0 ? 'M' : 'L'}${n(p.x)} ${n(p.y + offset)}`).join(''),
          tone,
          width / bands + 2.5,
        );
      }
    }
  }
  for (let i = 0; i < 5; i += 1)
    out += ball(
      s,
      `r${i}`,
      random.next() * 1000,
      random.between(0.08, 0.94) * height,
      random.between(26, 60),
      i,
      random.pick(PATTERNS),
    );
  return out;
}

/** A cold drink with bubbles, ice and a straw. */
function soda(s: Sugar): string {
  const { random, height } = s;
  const shelf = height * 0.88;
  const count = s.theme.count ? Math.min(4, s.theme.count) : random.int(1, 3);
  let out = table(s, shelf - 60);
  for (let i = 0; i < count; i += 1) {
    const [w, tall] = [Math.min(190, 420 / count + 40), height * random.between(0.5, 0.66)];
    const cx = 1000 * ((i + 0.5) / count);
    const top = shelf - tall;
    const id = `g${i}`;
    const wall = `M${n(cx - w)} ${n(top)}L${n(cx - w * 0.72)} ${n(shelf - 20)}Q${n(cx - w * 0.7)} ${n(shelf)} ${n(cx - w * 0.5)} ${n(shelf)}H${n(cx + w * 0.5)}Q${n(cx + w * 0.7)} ${n(shelf)} ${n(cx + w * 0.72)} ${n(shelf - 20)}L${n(cx + w)} ${n(top)}Z`;
    out += softShadow(cx + 70, shelf, w * 1.2, 34);
    out +=
      stroke(
        `M${n(cx - w * 0.2)} ${n(shelf - 40)}L${n(cx + w * 0.5)} ${n(top - 120)}l${n(w * 0.5)} -40`,
        '#ffffff',
        22,
        { 'stroke-linejoin': 'round' },
      ) +
      stroke(
        `M${n(cx - w * 0.2)} ${n(shelf - 40)}L${n(cx + w * 0.5)} ${n(top - 120)}l${n(w * 0.5)} -40`,
        candy(s, i + 1),
        22,
        { 'stroke-dasharray': '26 26', 'stroke-linejoin': 'round' },
      );
    const level = top + tall * 0.16;
    out +=
      clip(id, `<path d="${wall}"/>`) +
      linear(`${id}l`, [
        [0, lighten(candy(s, i), 0.3)],
        [0.45, candy(s, i)],
        [1, candy(s, i + 1)],
      ]);
    let inside = rect(cx - w, level, w * 2, tall, `url(#${id}l)`, { 'fill-opacity': 0.85 });
    for (let k = 0; k < 4; k += 1)
      inside += rect(-44, -44, 88, 88, '#ffffff', {
        rx: 16,
        'fill-opacity': 0.42,
        stroke: '#ffffff',
        'stroke-width': 4,
        transform: `translate(${n(cx + random.between(-0.55, 0.55) * w)} ${n(level + 30 + k * 46)}) rotate(${random.int(-40, 40)})`,
      });
    for (let k = 0; k < 44; k += 1)
      inside += circle(
        cx + random.between(-0.8, 0.8) * w,
        level + random.next() * tall * 0.8,
        random.between(3, 11),
        '#fff',
        { 'fill-opacity': random.between(0.3, 0.8) },
      );
    inside += ellipse(cx, level, w * 0.96, 16, '#ffffff', { 'fill-opacity': 0.55 });
    out +=
      group(inside, { 'clip-path': `url(#${id})` }) +
      path(wall, '#ffffff', { 'fill-opacity': 0.14, stroke: '#ffffff', 'stroke-width': 7, 'stroke-opacity': 0.8 });
    out += path(
      `M${n(cx - w * 0.84)} ${n(top + 40)}L${n(cx - w * 0.64)} ${n(shelf - 60)}h24L${n(cx - w * 0.7)} ${n(top + 40)}Z`,
      '#fff',
      { 'fill-opacity': 0.5 },
    );
    const slice = candy(s, 2);
    out +=
      circle(cx - w * 0.86, top + 6, 66, slice) +
      circle(cx - w * 0.86, top + 6, 56, '#fff6ee') +
      [0, 60, 120, 180, 240, 300]
        .map((a) =>
          path('M0 0L15 -46A50 50 0 0 0 -15 -46Z', slice, {
            'fill-opacity': 0.85,
            transform: `translate(${n(cx - w * 0.86)} ${n(top + 6)}) rotate(${a}) translate(0 -3)`,
          }),
        )
        .join('');
  }
  return out;
}

/** Glass and sugar: marbles, lollipops, jars, jellies, ices, ribbons and sodas. */
export const glass: Painter = (board) => {
  const s = sugar(board);
  const compose = choose(board.theme, board.random, [
    { words: 'planets marbles bubbles physics atoms balloons gumballs', value: balls },
    { words: 'lollipop lollipops hard forest parade fair carnival', value: lollipops },
    { words: 'jar boiled windowsill shop sweets shelf kept', value: jar },
    { words: 'jelly jam cake pudding wobble birthday slow tower', value: jelly },
    { words: 'popsicle popsicles ice melt melting frozen summer beach heatwave', value: popsicles },
    { words: 'ribbon silk toffee pull wave roller taffy sugar', value: ribbon },
    { words: 'lemonade soda drink cocktail fizz straw glass thirsty', value: soda },
  ]);
  return backdrop(s) + compose(s);
};

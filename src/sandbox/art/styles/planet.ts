import { darken, lighten, mix, type Hex } from '../color.js';
import {
  circle,
  clip,
  ellipse,
  glow,
  group,
  linear,
  n,
  path,
  polyline,
  radial,
  rect,
  stroke,
  type Board,
  type Painter,
  type Point,
} from '../svg.js';
import { belowLine, fractalBlob, fractalLine } from '../shapes.js';
import { choose } from '../theme.js';

interface Space extends Board {
  readonly void: Hex;
  readonly main: Hex;
  readonly deep: Hex;
  readonly pale: Hex;
  readonly spark: Hex;
}

const SKIES: readonly { readonly words: string; readonly value: readonly [Hex, Hex, Hex, Hex, Hex] }[] = [
  { words: 'dusk warm coral season sunset orange', value: ['#070912', '#f2a65a', '#d1495b', '#f5dfb8', '#43204f'] },
  { words: 'sea ocean quiet cold ice rain blue water', value: ['#050b14', '#58a4b0', '#1b4965', '#dff3e4', '#f6ae2d'] },
  { words: 'violet dream night promise purple', value: ['#0c0714', '#c77dff', '#5a189a', '#ffd6ff', '#ff9e5e'] },
  { words: 'copper rust desert dust brass', value: ['#0a0a0c', '#e8c39e', '#9c6644', '#fff1dd', '#e4572e'] },
  { words: 'green garden moss jungle small', value: ['#06100e', '#8fcf8a', '#1f6f5c', '#f0f6d0', '#ff8a5b'] },
  { words: 'rose pink candy love', value: ['#12060f', '#ff8fa3', '#a4133c', '#ffe5ec', '#7bdff2'] },
  { words: 'gold lemon sun summer king', value: ['#0d0a05', '#ffd166', '#c77d0a', '#fff6d6', '#4cc9f0'] },
  { words: 'storm lightning weather indigo deep', value: ['#05060f', '#7f9cf5', '#27318b', '#e3e9ff', '#f15bb5'] },
];

function space(board: Board): Space {
  const [dark, main, deep, pale, spark] = choose(board.theme, board.random, SKIES);
  return { ...board, void: dark, main, deep, pale, spark };
}

function stars(s: Space, count = 230, below = s.height): string {
  const { random } = s;
  let out = rect(0, 0, 1000, s.height, s.void);
  for (let i = 0; i < 3; i += 1)
    out += glow(
      `neb${i}`,
      random.next() * 1000,
      random.next() * below,
      random.between(280, 620),
      i === 0 ? s.deep : i === 1 ? s.main : s.spark,
      i === 0 ? 0.55 : 0.16,
    );
  for (let i = 0; i < count; i += 1)
    out += circle(
      random.next() * 1000,
      random.next() * below,
      0.5 + random.next() ** 2 * 2.4,
      random.chance(0.12) ? s.pale : '#fff',
      { 'fill-opacity': random.between(0.2, 1) },
    );
  for (let i = 0; i < 5; i += 1) {
    const [x, y, l] = [random.next() * 1000, random.next() * below, random.between(8, 20)];
    out += stroke(`M${n(x - l)} ${n(y)}H${n(x + l)}M${n(x)} ${n(y - l)}V${n(y + l)}`, '#fff', 1.6, {
      'stroke-opacity': 0.8,
    });
  }
  return out;
}

type Surface = 'bands' | 'marble' | 'craters' | 'continents';

/** The surface pattern of a globe with radius r around the origin. */
function surfaceOf(s: Space, r: number, surface: Surface): string {
  const { random } = s;
  const tones = [s.main, s.deep, s.pale, mix(s.main, s.pale, 0.5), mix(s.main, s.deep, 0.5)];
  if (surface === 'bands' || surface === 'marble') {
    const [thin, thick, rough] = surface === 'bands' ? [0.07, 0.24, 0.1] : [0.16, 0.42, 0.42];
    let skin = rect(-r * 1.2, -r * 1.2, r * 2.4, r * 2.4, s.main);
    for (let at = -r, last = s.main; at < r; at += r * random.between(thin, thick)) {
      last = random.pick(tones.filter((tone) => tone !== last));
      skin += path(belowLine(fractalLine(random, r * rough, 0.62), at, r * 1.2, r * 1.2), last);
    }
    if (random.chance(0.6)) {
      const [x, y] = [random.between(-0.4, 0.3) * r, random.between(-0.3, 0.5) * r];
      skin +=
        ellipse(x, y, r * 0.26, r * 0.13, s.pale) +
        ellipse(x, y, r * 0.2, r * 0.09, s.spark) +
        ellipse(x, y, r * 0.09, r * 0.04, s.pale);
    }
    return skin;
  }
  if (surface === 'craters') {
    let skin = rect(-r, -r, r * 2, r * 2, s.main);
    for (let i = 0; i < 5; i += 1)
      skin += path(
        fractalBlob(random, random.between(-0.8, 0.8) * r, random.between(-0.8, 0.8) * r, r * 0.4, r * 0.3),
        mix(s.main, s.deep, 0.2),
      );
    for (let i = 0; i < 30; i += 1) {
      const [a, d, k] = [random.next() * 6.3, Math.sqrt(random.next()) * r, r * (0.025 + random.next() ** 2.4 * 0.18)];
      const [cx, cy] = [Math.cos(a) * d, Math.sin(a) * d];
      skin +=
        circle(cx, cy, k, mix(s.main, s.deep, 0.55)) +
        circle(cx + k * 0.14, cy + k * 0.14, k * 0.84, mix(s.main, s.deep, 0.28));
    }
    return skin;
  }
  let skin = rect(-r, -r, r * 2, r * 2, s.deep);
  for (let i = 0; i < 8; i += 1) {
    const [x, y, rx, ry] = [
      random.between(-0.9, 0.9) * r,
      random.between(-0.8, 0.8) * r,
      r * random.between(0.16, 0.5),
      r * random.between(0.12, 0.32),
    ];
    skin +=
      path(fractalBlob(random, x, y, rx, ry), s.main) +
      path(fractalBlob(random, x, y, rx * 0.6, ry * 0.6), mix(s.main, s.pale, 0.4));
  }
  skin +=
    path(fractalBlob(random, 0, -r, r * 0.6, r * 0.2), s.pale) +
    path(fractalBlob(random, 0, r, r * 0.5, r * 0.16), s.pale);
  for (let i = 0; i < 7; i += 1)
    skin += path(
      fractalBlob(
        random,
        random.between(-0.8, 0.8) * r,
        random.between(-0.7, 0.7) * r,
        r * random.between(0.2, 0.5),
        r * 0.035,
        0.5,
      ),
      '#ffffff',
      { 'fill-opacity': 0.75 },
    );
  return skin;
}

/** A globe, lit from the upper left. `id` must be unique: the ids of its gradients begin with it. */
function globe(
  s: Space,
  id: string,
  x: number,
  y: number,
  r: number,
  surface: Surface,
  tilt: number,
  haloOpacity = 0.5,
): string {
  return (
    clip(`${id}c`, `<circle r="${n(r)}"/>`) +
    radial(`${id}h`, [
      [0.74, s.main, haloOpacity],
      [1, s.main, 0],
    ]) +
    light(id) +
    group(
      circle(0, 0, r * 1.34, `url(#${id}h)`) +
        group(group(surfaceOf(s, r, surface), { 'clip-path': `url(#${id}c)` }), { transform: `rotate(${n(tilt)})` }) +
        circle(0, 0, r, `url(#${id}l)`),
      { transform: `translate(${n(x)} ${n(y)})` },
    )
  );
}

const light = (id: string): string =>
  radial(
    `${id}l`,
    [
      [0, '#ffffff', 0.35],
      [0.4, '#ffffff', 0],
      [0.62, '#000000', 0.15],
      [1, '#000000', 0.88],
    ],
    { cx: 0.3, cy: 0.28, r: 0.85 },
  );

function ringHalf(s: Space, r: number, front: boolean, flat: number): string {
  return [
    [1.48, 0.1, s.pale, 0.5],
    [1.64, 0.16, s.main, 0.8],
    [1.83, 0.1, s.pale, 0.8],
    [1.95, 0.025, s.main, 0.9],
  ]
    .map(([k, w, color, opacity]) =>
      stroke(
        `M${n(-r * (k as number))} 0A${n(r * (k as number))} ${n(r * (k as number) * flat)} 0 0 ${front ? 0 : 1} ${n(r * (k as number))} 0`,
        color as Hex,
        r * (w as number),
        { 'stroke-opacity': opacity as number },
      ),
    )
    .join('');
}

function giant(s: Space): string {
  const { random, height } = s;
  const r = random.between(200, 310);
  const [x, y] = [random.between(380, 620), height * random.between(0.4, 0.6)];
  const tilt = random.between(-34, 34);
  const flat = random.between(0.14, 0.4);
  const ringed = s.theme.words.some((word) => word.startsWith('ring')) || random.chance(0.7);
  const at = (content: string): string =>
    group(content, { transform: `translate(${n(x)} ${n(y)}) rotate(${n(tilt)})` });
  let out =
    stars(s) +
    (ringed ? at(ringHalf(s, r, false, flat)) : '') +
    globe(s, 'g', x, y, r, random.pick<Surface>(['bands', 'bands', 'marble']), tilt);
  if (ringed) out += at(ringHalf(s, r, true, flat));
  return out + moons(s, x, y, r, s.theme.count ?? random.int(1, 3));
}

function moons(s: Space, x: number, y: number, r: number, count: number): string {
  let out = light('mo');
  for (let i = 0; i < Math.min(5, count); i += 1) {
    const [a, d, k] = [s.random.next() * 6.3, r * s.random.between(1.6, 2.2), r * s.random.between(0.06, 0.18)];
    const color = i % 2 === 0 ? s.spark : s.pale;
    out +=
      circle(x + Math.cos(a) * d, y + Math.sin(a) * d, k, color) +
      circle(x + Math.cos(a) * d, y + Math.sin(a) * d, k, 'url(#mol)');
  }
  return out;
}

/** The view from one world while another rises. */
function moonrise(s: Space): string {
  const { random, height } = s;
  const ground = height * random.between(0.66, 0.78);
  const r = random.between(170, 380);
  const px = random.between(200, 800);
  let out =
    stars(s, 200, ground) +
    globe(
      s,
      'g',
      px,
      ground - r * random.between(0.3, 1),
      r,
      random.pick<Surface>(['bands', 'continents', 'marble', 'craters']),
      random.between(-30, 30),
      0.6,
    );
  const many = s.theme.count ?? random.int(0, 2);
  for (let i = 0; i < Math.min(3, many); i += 1)
    out += globe(
      s,
      `m${i}`,
      (px + 320 + i * 240) % 1000,
      height * random.between(0.12, 0.34),
      random.between(26, 70),
      'craters',
      0,
      0.3,
    );
  for (let i = 0; i < 4; i += 1) {
    const t = i / 3;
    const points: Point[] = [];
    const [a, b, phase] = [random.between(70, 150), random.between(24, 50), random.between(0, 6)];
    for (let x = -10; x <= 1010; x += 10)
      points.push({
        x,
        y:
          ground +
          t * (height - ground) * 0.8 +
          Math.sin(x / a + phase) * 26 +
          Math.sin(x / b + phase * 3) * 9 +
          random.between(-3, 3),
      });
    const color = mix(mix(s.main, s.deep, 0.35 + t * 0.4), s.void, 0.25 + t * 0.45);
    out +=
      linear(`gd${i}`, [
        [0, lighten(color, 0.1)],
        [1, darken(color, 0.3)],
      ]) + path(`${polyline(points)}L1010 ${n(height + 10)}L-10 ${n(height + 10)}Z`, `url(#gd${i})`);
    for (let k = 0; k < 3; k += 1) {
      const [cx, cy, w] = [
        random.next() * 1000,
        ground + t * (height - ground) * 0.8 + random.between(50, 90),
        random.between(30, 110),
      ];
      out +=
        ellipse(cx, cy, w, w * 0.2, darken(color, 0.35)) +
        ellipse(cx, cy + w * 0.05, w * 0.9, w * 0.13, darken(color, 0.12));
    }
  }
  return out + (random.chance(0.7) ? traveller(s, random.between(180, 820), ground + (height - ground) * 0.36) : '');
}

/** A small figure or its rocket. */
function traveller(s: Space, x: number, y: number): string {
  if (s.random.chance(0.5)) {
    return group(
      rect(-9, -34, 18, 30, s.pale, { rx: 7 }) +
        circle(0, -44, 13, s.pale) +
        ellipse(4, -44, 7, 6, s.void) +
        rect(-8, -8, 6, 12, s.pale) +
        rect(2, -8, 6, 12, s.pale) +
        rect(-15, -32, 6, 20, s.spark, { rx: 3 }),
      { transform: `translate(${n(x)} ${n(y)}) scale(1.25)` },
    );
  }
  return group(
    path('M0 -150C34 -110 34 -60 26 -20H-26C-34 -60 -34 -110 0 -150Z', s.pale) +
      path('M0 -150C34 -110 34 -60 26 -20H0Z', mix(s.pale, s.void, 0.25)) +
      circle(0, -92, 12, s.void) +
      circle(0, -92, 8, s.spark) +
      path('M-26 -60L-50 -4L-24 -20ZM26 -60L50 -4L24 -20Z', s.spark) +
      rect(-3, -20, 6, 22, s.void),
    { transform: `translate(${n(x)} ${n(y)})` },
  );
}

/** A crescent that fills the picture, with a glowing atmosphere along its edge. */
function limb(s: Space): string {
  const { random, height } = s;
  const r = random.between(560, 820);
  const corner = random.pick([
    [0.06, 1.05],
    [0.95, 1.06],
    [0.5, 1.32],
    [1.02, 0.1],
  ] as const);
  const [x, y] = [1000 * corner[0], height * corner[1]];
  const inner: Space = { ...s };
  let out =
    stars(s) +
    glow('air', x, y, r * 1.5, s.main, 0.85) +
    globe(inner, 'g', x, y, r, random.pick<Surface>(['marble', 'bands', 'continents']), random.between(-40, 40), 0.9);
  out += circle(x, y, r, 'none', { stroke: lighten(s.pale, 0.3), 'stroke-width': 4, 'stroke-opacity': 0.7 });
  const [sx, sy] = [
    corner[0] > 0.6 ? random.between(120, 380) : random.between(620, 880),
    corner[1] < 0.5 ? height * 0.78 : height * random.between(0.14, 0.3),
  ];
  out += random.chance(0.5)
    ? glow('star', sx, sy, 210, s.pale, 0.9) + circle(sx, sy, 34, '#fff')
    : globe(s, 'm', sx, sy, random.between(50, 120), 'craters', 0, 0.4);
  return out;
}

/** A small planetary system with its orbits. */
function system(s: Space): string {
  const { random, height } = s;
  const [x, y] = [random.between(380, 620), height * random.between(0.42, 0.58)];
  const flat = random.between(0.3, 0.95);
  const tilt = random.between(-26, 26);
  let out = stars(s, 260) + glow('sun', x, y, 300, s.pale, 0.85) + circle(x, y, random.between(56, 96), s.pale);
  const count = s.theme.count ?? random.int(4, 7);
  let worlds = '';
  for (let i = 0; i < Math.min(8, count); i += 1) {
    const r = 150 + (i + (count < 4 ? 0.6 : 0)) * (370 / Math.max(3, count));
    out += ellipse(x, y, r, r * flat, 'none', {
      stroke: s.pale,
      'stroke-width': 1.6,
      'stroke-opacity': 0.45,
      transform: `rotate(${n(tilt)} ${n(x)} ${n(y)})`,
      'stroke-dasharray': i % 3 === 2 ? '3 9' : undefined,
    });
    const a = random.next() * 6.3;
    const [ex, ey] = [Math.cos(a) * r, Math.sin(a) * r * flat];
    const turn = (tilt * Math.PI) / 180;
    const [px, py] = [x + ex * Math.cos(turn) - ey * Math.sin(turn), y + ex * Math.sin(turn) + ey * Math.cos(turn)];
    const size = (random.between(20, 44) + i * 6) * (count < 4 ? 1.7 : 1);
    const skin: Space = i % 2 === 0 ? s : { ...s, main: s.spark, deep: mix(s.spark, s.void, 0.5) };
    worlds += globe(
      skin,
      `o${i}`,
      px,
      py,
      size,
      random.pick<Surface>(['bands', 'craters', 'continents']),
      random.between(-30, 30),
      0.25,
    );
    if (random.chance(0.3))
      worlds += group(ringHalf(skin, size, true, 0.25), { transform: `translate(${n(px)} ${n(py)}) rotate(-18)` });
  }
  return out + worlds;
}

/** A tiny planet with trees and houses all around its edge. */
function tiny(s: Space): string {
  const { random, height } = s;
  const [x, y, r] = [random.between(440, 560), height * random.between(0.5, 0.58), random.between(180, 250)];
  let out = stars(s);
  let things = '';
  const count = random.int(9, 15);
  for (let i = 0; i < count; i += 1) {
    const a = (i / count) * 360 + random.between(-8, 8);
    things += group(growth(s, random.int(0, 4), random.between(0.75, 1.5)), {
      transform: `translate(${n(x)} ${n(y)}) rotate(${n(a)}) translate(0 ${n(-r + 5)})`,
    });
  }
  out +=
    things + globe(s, 'g', x, y, r, random.pick<Surface>(['continents', 'craters']), random.between(-30, 30), 0.35);
  const weather = s.theme.weather === 'clear' ? random.pick(['clouds', 'rain', 'snow']) : s.theme.weather;
  for (let i = 0; i < 6; i += 1) {
    const a = (random.next() * 360 * Math.PI) / 180;
    const d = r * random.between(1.5, 1.95);
    const [cx, cy, w] = [x + Math.cos(a) * d, y + Math.sin(a) * d, random.between(50, 100)];
    out += group(
      ellipse(0, 0, w, w * 0.26, '#fff', { 'fill-opacity': 0.92 }) +
        circle(-w * 0.25, -w * 0.2, w * 0.34, '#fff', { 'fill-opacity': 0.92 }) +
        circle(w * 0.22, -w * 0.14, w * 0.26, '#fff', { 'fill-opacity': 0.92 }) +
        (weather === 'rain'
          ? [0, 1, 2, 3]
              .map((k) =>
                stroke(`M${n(-w * 0.5 + k * w * 0.3)} ${n(w * 0.36)}l-8 34`, s.pale, 4, { 'stroke-linecap': 'round' }),
              )
              .join('')
          : weather === 'snow'
            ? [0, 1, 2, 3].map((k) => circle(-w * 0.5 + k * w * 0.3, w * 0.5 + (k % 2) * 18, 5, '#fff')).join('')
            : ''),
      { transform: `translate(${n(cx)} ${n(cy)}) rotate(${n((a * 180) / Math.PI + 90)})` },
    );
  }
  return out;
}

function growth(s: Space, kind: number, scale: number): string {
  const k = (v: number): string => n(v * scale);
  if (kind === 0)
    return (
      rect(-4 * scale, -50 * scale, 8 * scale, 54 * scale, darken(s.deep, 0.4)) +
      circle(0, -66 * scale, 34 * scale, mix(s.main, s.pale, 0.2)) +
      circle(-10 * scale, -74 * scale, 12 * scale, s.pale, { 'fill-opacity': 0.35 })
    );
  if (kind === 1)
    return path(
      `M0 ${k(-120)}L${k(28)} ${k(-40)}H${k(12)}L${k(36)} 4H${k(-36)}L${k(-12)} ${k(-40)}H${k(-28)}Z`,
      mix(s.deep, s.main, 0.35),
    );
  if (kind === 2)
    return (
      rect(-24 * scale, -44 * scale, 48 * scale, 50 * scale, s.pale) +
      path(`M${k(-32)} ${k(-42)}L0 ${k(-78)}L${k(32)} ${k(-42)}Z`, s.spark) +
      rect(-7 * scale, -24 * scale, 14 * scale, 28 * scale, s.void) +
      rect(9 * scale, -36 * scale, 9 * scale, 10 * scale, s.void)
    );
  if (kind === 3)
    return (
      path(`M${k(-44)} 6L0 ${k(-84)}L${k(44)} 6Z`, mix(s.main, s.deep, 0.5)) +
      path(`M${k(-14)} ${k(-56)}L0 ${k(-84)}L${k(14)} ${k(-56)}L${k(4)} ${k(-46)}L${k(-5)} ${k(-54)}Z`, s.pale)
    );
  return (
    rect(-2.5 * scale, -70 * scale, 5 * scale, 74 * scale, s.pale) +
    circle(0, -74 * scale, 10 * scale, s.spark) +
    circle(0, -74 * scale, 22 * scale, s.spark, { 'fill-opacity': 0.3 })
  );
}

/** A comet, or an eclipse: a light disc behind a dark one. */
function eclipse(s: Space): string {
  const { random, height } = s;
  const [x, y, r] = [random.between(350, 650), height * random.between(0.36, 0.6), random.between(150, 260)];
  let out = stars(s, 280);
  if (random.chance(0.5)) {
    out += glow('cor', x, y, r * 2.6, s.main, 0.95) + glow('cor2', x, y, r * 1.7, s.pale, 0.9);
    for (let i = 0; i < 70; i += 1) {
      const a = random.next() * 6.3;
      const l = r * random.between(1.1, 2.1);
      out += stroke(
        `M${n(x + Math.cos(a) * r)} ${n(y + Math.sin(a) * r)}L${n(x + Math.cos(a + 0.03) * l)} ${n(y + Math.sin(a + 0.03) * l)}`,
        s.pale,
        random.between(1, 4),
        { 'stroke-opacity': 0.3 },
      );
    }
    return (
      out +
      circle(x, y, r, s.void) +
      circle(x - r * 0.72, y - r * 0.72, r * 0.07, '#fff') +
      glow('gem', x - r * 0.7, y - r * 0.7, r * 0.5, '#ffffff', 0.9)
    );
  }
  const a = random.between(-0.9, -0.3);
  const [tx, ty] = [Math.cos(a) * 900, Math.sin(a) * 900];
  out += linear(
    'tail',
    [
      [0, s.pale, 0.95],
      [0.25, s.main, 0.6],
      [1, s.deep, 0],
    ],
    { x1: 0, y1: 1, x2: 1, y2: 0 },
  );
  for (let i = 0; i < 26; i += 1) {
    const spread = random.between(-0.16, 0.16);
    out += path(
      `M${n(x - 200)} ${n(y + 180)}L${n(x - 200 + tx * Math.cos(spread) - ty * Math.sin(spread) - 30)} ${n(y + 180 + tx * Math.sin(spread) + ty * Math.cos(spread))}l60 40Z`,
      'url(#tail)',
      { opacity: 0.22 },
    );
  }
  return (
    out +
    glow('head', x - 200, y + 180, 190, s.pale, 1) +
    circle(x - 200, y + 180, 40, '#fff') +
    globe(s, 'g', 830, height * 0.82, random.between(150, 260), 'marble', 20, 0.4)
  );
}

/** Painted worlds: giants with rings, moonrises, crescents, systems, tiny planets, eclipses. */
export const planet: Painter = (board) => {
  const s = space(board);
  const compose = choose(board.theme, board.random, [
    { words: 'giant ring rings season saturn copper king', value: giant },
    { words: 'postcard moonrise landing horizon camp traveller moon home warm two three', value: moonrise },
    { words: 'dusk crescent edge atmosphere approach window close', value: limb },
    { words: 'orbit orbits system moons family seven four five six eight nine', value: system },
    { words: 'small tiny little garden house weather tree village', value: tiny },
    { words: 'eclipse comet wish shadow meteor promise', value: eclipse },
  ]);
  return compose(s);
};

import { lighten, mix, oklch, rich, type Hex } from '../color.js';
import { fractalLine } from '../shapes.js';
import {
  blur,
  circle,
  ellipse,
  glow,
  group,
  linear,
  n,
  path,
  polyline,
  rect,
  smooth,
  stroke,
  type Board,
  type Painter,
  type Point,
} from '../svg.js';
import { choose } from '../theme.js';

/** Colours of a scene, from the haze at the horizon to the dark foreground. */
interface Scene extends Board {
  readonly skyTop: Hex;
  readonly horizon: Hex;
  readonly light: Hex;
  readonly near: Hex;
  /** Ground colour at depth t: 0 is far and hazy, 1 is near. */
  depth(t: number): Hex;
  readonly sun: Point & { readonly r: number };
}

const LIGHT = {
  dawn: { top: [0.74, 0.07], horizon: [0.93, 0.07], far: [0.8, 0.07], near: [0.3, 0.07], warm: 0.35 },
  day: { top: [0.7, 0.1], horizon: [0.94, 0.03], far: [0.8, 0.06], near: [0.34, 0.09], warm: 0 },
  dusk: { top: [0.36, 0.12], horizon: [0.82, 0.15], far: [0.62, 0.14], near: [0.17, 0.06], warm: 0.3 },
  night: { top: [0.15, 0.05], horizon: [0.42, 0.09], far: [0.36, 0.08], near: [0.1, 0.03], warm: 0 },
} as const;

function scene(board: Board): Scene {
  const { random, theme, height } = board;
  const light = LIGHT[theme.time];
  const skyTop = oklch(light.top[0], light.top[1], skyHue(theme.secondHue, theme.time));
  const horizon = oklch(light.horizon[0], light.horizon[1], theme.hue);
  const far = oklch(light.far[0], light.far[1], theme.hue);
  // A cool scene stays cool towards its foreground, because brown water or brown snow looks wrong.
  const nearHue = isWarm(theme.secondHue) && !isWarm(theme.hue) ? theme.hue : theme.secondHue;
  const near = rich(light.near[0], light.near[1], nearHue);
  const middle = rich(
    (light.far[0] + light.near[0]) / 2,
    (light.far[1] + light.near[1]) / 1.6,
    mixHue(theme.hue, nearHue),
  );
  const r = random.pick([34, 50, 72, 110, 150]);
  return {
    ...board,
    skyTop,
    horizon,
    near,
    light: theme.time === 'night' ? '#f4efdc' : mix('#ffffff', oklch(0.93, 0.1, 85), light.warm),
    depth: (t) => (t < 0.5 ? mix(far, middle, t * 2) : mix(middle, near, t * 2 - 1)),
    sun: { x: random.between(180, 820), y: height * random.between(0.16, 0.4), r },
  };
}

const isWarm = (hue: number): boolean => hue > 35 && hue < 190;

/** With a low sun, the upper sky is blue to violet: brown or green looks wrong. */
function skyHue(hue: number, time: Scene['theme']['time']): number {
  const warm = isWarm(hue);
  return warm && (time === 'dusk' || time === 'night') ? 250 + (hue % 60) : warm && time === 'day' ? 235 : hue;
}

function mixHue(a: number, b: number): number {
  const distance = ((b - a + 540) % 360) - 180;
  return (a + distance / 2 + 360) % 360;
}

function sky(s: Scene, horizonY: number): string {
  const { random, theme } = s;
  let out =
    linear('sky', [
      [0, s.skyTop],
      [0.45, mix(s.skyTop, s.horizon, 0.45)],
      [0.8, mix(s.skyTop, s.horizon, 0.88)],
      [1, s.horizon],
    ]) +
    rect(0, 0, 1000, horizonY + 2, 'url(#sky)') +
    rect(0, horizonY, 1000, s.height - horizonY, s.horizon);
  if (theme.time === 'night') {
    for (let i = 0; i < 170; i += 1) {
      out += circle(
        random.next() * 1000,
        random.next() ** 1.3 * horizonY,
        random.between(0.6, 2.4) * (random.chance(0.06) ? 1.7 : 1),
        '#fff',
        {
          'fill-opacity': random.between(0.25, 0.95),
        },
      );
    }
  }
  return out + sunOrMoon(s) + clouds(s, horizonY);
}

function sunOrMoon(s: Scene): string {
  const { sun, theme, random } = s;
  let out = glow('halo', sun.x, sun.y, sun.r * 4.2, s.light, theme.time === 'day' ? 0.7 : 0.55);
  out += circle(sun.x, sun.y, sun.r, s.light, { 'fill-opacity': 0.96 });
  if (theme.time === 'night' && random.chance(0.5)) {
    out += circle(sun.x + sun.r * 0.42, sun.y - sun.r * 0.16, sun.r * 0.9, mix(s.skyTop, s.horizon, 0.3));
  }
  return out;
}

function clouds(s: Scene, horizonY: number): string {
  const { random, theme } = s;
  if (theme.time === 'night' || random.chance(0.35)) return '';
  const tint = lighten(s.horizon, 0.45);
  let out = '';
  for (let i = random.int(2, 5); i > 0; i -= 1) {
    const y = horizonY * random.between(0.18, 0.8);
    const x = random.between(-100, 900);
    const length = random.between(160, 520);
    let d = '';
    for (let k = random.int(1, 3); k >= 0; k -= 1) {
      const w = length * random.between(0.3, 1);
      d += `M${n(x + random.between(0, length - w))} ${n(y + k * 15)}h${n(w)}a10 10 0 0 1 0 20h${n(-w)}a10 10 0 0 1 0 -20z`;
    }
    out += path(d, tint, { 'fill-opacity': 0.5 });
  }
  return out;
}

const skyline = (s: Scene, amplitude: number, roughness: number): number[] =>
  fractalLine(s.random, amplitude, roughness);

const alongX = (heights: readonly number[], y: number): Point[] =>
  heights.map((h, i) => ({ x: -10 + (1020 * i) / (heights.length - 1), y: y + h }));

const fillBelow = (points: readonly Point[], bottom: number, fill: string, extra = {}): string =>
  path(`${polyline(points)}L1010 ${n(bottom)}L-10 ${n(bottom)}Z`, fill, extra);

function ridgeLayer(s: Scene, id: string, points: readonly Point[], t: number, haze = 0.55): string {
  const top = Math.min(...points.map((p) => p.y));
  return (
    linear(
      id,
      [
        [0, s.depth(t)],
        [0.75, mix(s.depth(t), s.horizon, haze * (1 - t * 0.8))],
        [1, mix(s.depth(t), s.horizon, haze * (1 - t * 0.8))],
      ],
      {
        gradientUnits: 'userSpaceOnUse',
        x1: 0,
        x2: 0,
        y1: top,
        y2: top + 330,
      },
    ) + fillBelow(points, s.height + 10, `url(#${id})`)
  );
}

function ridges(s: Scene): string {
  const layers = s.random.int(4, 7);
  const start = s.random.between(0.38, 0.55);
  const rough = s.random.pick([0.46, 0.54, 0.6]);
  const steep = s.random.between(0.16, 0.42);
  let out = sky(s, s.height * (start + 0.18));
  for (let i = 0; i < layers; i += 1) {
    const t = i / (layers - 1);
    const heights = skyline(s, s.height * steep * (1 - 0.55 * t), rough - 0.08 * t);
    out += ridgeLayer(s, `r${i}`, alongX(heights, s.height * (start + (0.95 - start) * t * 0.92)), t);
  }
  return out;
}

function dunes(s: Scene): string {
  const { random, height } = s;
  const horizonY = height * random.between(0.36, 0.5);
  let out = sky(s, horizonY);
  const layers = random.int(4, 6);
  for (let i = 0; i < layers; i += 1) {
    const t = (i + 0.6) / layers;
    const peak = {
      x: random.between(120, 880),
      y: horizonY + (height - horizonY) * (t - 0.18) * 0.95 - height * 0.05 * random.next(),
    };
    const drop = height * random.between(0.07, 0.16) * (0.6 + t);
    const left = { x: -20, y: peak.y + drop * random.between(0.6, 1.3) };
    const right = { x: 1020, y: peak.y + drop * random.between(0.6, 1.3) };
    const crest = `M${n(left.x)} ${n(left.y)}C${n(peak.x * 0.4)} ${n(left.y + 10)} ${n(peak.x - 150)} ${n(peak.y + 12)} ${n(peak.x)} ${n(peak.y)}`;
    const down = `C${n(peak.x + 90)} ${n(peak.y + drop * 0.5)} ${n(peak.x + (1000 - peak.x) * 0.6)} ${n(right.y - 8)} ${n(right.x)} ${n(right.y)}`;
    const lit = mix(s.depth(t * 0.75), s.light, 0.16 * (1 - t));
    out += path(`${crest}${down}L1020 ${n(height + 10)}L-20 ${n(height + 10)}Z`, lit);
    const sway = random.between(-130, 60);
    out += path(
      `M${n(peak.x)} ${n(peak.y)}${down}L1020 ${n(height + 10)}L${n(peak.x + sway * 2)} ${n(height + 10)}` +
        `C${n(peak.x + sway - 60)} ${n(peak.y + drop * 3)} ${n(peak.x + sway + 120)} ${n(peak.y + drop * 1.3)} ${n(peak.x)} ${n(peak.y)}Z`,
      s.depth(Math.min(1, t * 0.8 + 0.26)),
    );
  }
  return out + birds(s, horizonY * 0.7);
}

function birds(s: Scene, y: number): string {
  if (s.random.chance(0.5)) return '';
  const x = s.random.between(150, 800);
  let out = '';
  for (let i = s.random.int(3, 7); i > 0; i -= 1) {
    const [bx, by, w] = [x + s.random.between(-130, 130), y + s.random.between(-60, 60), s.random.between(9, 20)];
    out += stroke(
      `M${n(bx - w)} ${n(by - w * 0.3)}Q${n(bx - w * 0.4)} ${n(by - w * 0.5)} ${n(bx)} ${n(by)}Q${n(bx + w * 0.4)} ${n(by - w * 0.5)} ${n(bx + w)} ${n(by - w * 0.3)}`,
      s.near,
      2.6,
      { 'stroke-linecap': 'round' },
    );
  }
  return out;
}

function sea(s: Scene): string {
  const { random, height } = s;
  const horizonY = height * random.between(0.46, 0.62);
  const sunset: Scene = { ...s, sun: { ...s.sun, y: horizonY - s.sun.r * random.between(0.1, 2.4) } };
  let out = sky(sunset, horizonY);
  out +=
    linear('sea', [
      [0, mix(s.horizon, s.depth(0.3), 0.55)],
      [0.35, s.depth(0.5)],
      [1, s.depth(0.95)],
    ]) + rect(0, horizonY, 1000, height - horizonY, 'url(#sea)');
  for (let i = 0; i < 130; i += 1) {
    const depth = random.next() ** 1.5;
    const y = horizonY + 3 + depth * (height - horizonY);
    const inPath = random.chance(0.5);
    const w = inPath
      ? (sunset.sun.r * 0.7 + depth * 160) * random.between(0.3, 1)
      : random.between(20, 150) * (0.4 + depth);
    const x = inPath ? sunset.sun.x + random.between(-0.5, 0.5) * (sunset.sun.r + depth * 200) : random.next() * 1000;
    out += rect(x - w / 2, y, w, 1.4 + depth * 7, inPath ? s.light : random.pick([s.horizon, s.depth(0.85)]), {
      rx: 0.7 + depth * 3,
      'fill-opacity': inPath ? 0.62 - depth * 0.25 : 0.26,
    });
  }
  const side = random.chance(0.5) ? 1 : -1;
  for (let i = 0; i < random.int(2, 4); i += 1) {
    const t = 0.35 + i * 0.2;
    out += cliff(
      s,
      horizonY + (height - horizonY) * (0.02 + 0.15 * i),
      side * (i % 2 === 0 ? 1 : -0.7),
      height * random.between(0.16, 0.34),
      t,
      i,
    );
  }
  return out + birds(s, horizonY * 0.5);
}

function cliff(s: Scene, foot: number, side: number, tall: number, t: number, index: number): string {
  const { random } = s;
  const reach = random.between(140, 420) * Math.abs(side);
  const edge = side > 0 ? 1010 : -10;
  const inner = side > 0 ? 1000 - reach : reach;
  const toward = side > 0 ? 1 : -1;
  const top: Point[] = [{ x: inner, y: foot }];
  const steps = 12;
  for (let i = 1; i <= steps; i += 1) {
    const q = i / steps;
    top.push({
      x: inner + toward * reach * q * (q < 0.3 ? 0.6 : 1),
      y: foot - tall * Math.min(1, q * 2.6) * random.between(0.84, 1.04),
    });
  }
  const d = `${polyline(top)}L${edge} ${n(foot - tall)}L${edge} ${n(foot)}Z`;
  const id = `cl${index}`;
  return (
    linear(id, [
      [0, mix(s.depth(t), s.light, 0.14)],
      [1, s.depth(Math.min(1, t + 0.25))],
    ]) +
    path(d, `url(#${id})`) +
    rect(Math.min(inner, edge) - 12, foot - 2, reach + 40, 5, s.light, { 'fill-opacity': 0.35, rx: 2 })
  );
}

function road(s: Scene): string {
  const { random, height } = s;
  const horizonY = height * random.between(0.42, 0.56);
  let out = sky(s, horizonY);
  out += ridgeLayer(
    s,
    'fr',
    alongX(
      skyline(s, height * 0.12, 0.5).map((h) => h - 6),
      horizonY,
    ),
    0.12,
  );
  out += mesas(s, horizonY, random.int(1, 3));
  out +=
    linear('plain', [
      [0, mix(s.depth(0.2), s.horizon, 0.4)],
      [0.3, s.depth(0.38)],
      [1, s.depth(0.72)],
    ]) + rect(0, horizonY, 1000, height - horizonY, 'url(#plain)');
  for (let i = 0; i < 70; i += 1) {
    const depth = random.next() ** 1.7;
    const y = horizonY + depth * (height - horizonY);
    out += ellipse(
      random.next() * 1000,
      y,
      6 + depth * 60,
      1 + depth * 8,
      random.pick([s.depth(0.85), s.depth(0.25)]),
      { 'fill-opacity': 0.35 },
    );
  }
  const vx = random.between(300, 700);
  const bend = random.between(-340, 340);
  const foot = random.between(250, 750);
  const edge = (w: number): string =>
    `M${n(vx)} ${n(horizonY)}C${n(vx + bend * 0.3)} ${n(horizonY + 70)} ${n(vx + bend + w * 0.4)} ${n(horizonY + 130)} ${n(foot + w)} ${n(height + 10)}`;
  const back = (w: number): string =>
    `L${n(foot + w)} ${n(height + 10)}C${n(vx + bend + w * 0.4)} ${n(horizonY + 130)} ${n(vx + bend * 0.3)} ${n(horizonY + 70)} ${n(vx)} ${n(horizonY)}Z`;
  out +=
    path(edge(-190) + back(190), s.near) +
    path(edge(-178) + back(-168), s.light, { 'fill-opacity': 0.6 }) +
    path(edge(168) + back(178), s.light, { 'fill-opacity': 0.6 });
  out += path(edge(-7) + back(7), s.light, { 'fill-opacity': 0.9 });
  const side = random.chance(0.5) ? 1 : -1;
  for (let i = 0; i < 9; i += 1) {
    const q = (i / 8) ** 2.2;
    const x = vx + side * (30 + q * 620);
    const y = horizonY + 4 + q * (height - horizonY) * 0.5;
    const tall = 18 + q * 420;
    out +=
      rect(x, y - tall, 1.4 + q * 9, tall, s.near) +
      rect(x - tall * 0.11, y - tall * 0.9, tall * 0.24, 1.2 + q * 6, s.near);
  }
  return out;
}

function mesas(s: Scene, foot: number, count: number): string {
  let out = '';
  for (let i = 0; i < count; i += 1) {
    const w = s.random.between(140, 420);
    const x = s.random.between(-60, 900);
    const tall = s.height * s.random.between(0.08, 0.22);
    const slope = w * 0.16;
    const t = 0.22 + 0.12 * i;
    out += linear(`m${i}`, [
      [0, s.depth(t + 0.18)],
      [1, mix(s.depth(t), s.horizon, 0.35)],
    ]);
    out += path(
      `M${n(x)} ${n(foot + 3)}L${n(x + slope)} ${n(foot - tall * 0.5)}L${n(x + slope * 1.15)} ${n(foot - tall)}L${n(x + w - slope * 1.2)} ${n(foot - tall * 0.98)}L${n(x + w - slope)} ${n(foot - tall * 0.45)}L${n(x + w)} ${n(foot + 3)}Z`,
      `url(#m${i})`,
    );
    for (let k = 1; k < 4; k += 1) {
      out += rect(x + slope * 1.3, foot - tall * (1 - k * 0.14), w - slope * 2.6, tall * 0.035, s.depth(t + 0.3), {
        'fill-opacity': 0.5,
      });
    }
  }
  return out;
}

function plateau(s: Scene): string {
  const { random, height } = s;
  const horizonY = height * random.between(0.5, 0.62);
  let out = sky(s, horizonY) + mesas(s, horizonY, random.int(3, 5));
  for (let i = 0; i < 4; i += 1) {
    const t = 0.45 + i * 0.17;
    const y = horizonY + (height - horizonY) * (i / 4);
    const step = skyline(s, 40, 0.45).map((h, k) => h * 0.4 + (Math.sin(k / 17 + i * 2) > 0.3 ? -26 : 0));
    out += ridgeLayer(s, `pl${i}`, alongX(step, y + 18), t, 0.35);
  }
  return out;
}

function lake(s: Scene): string {
  const { random, height } = s;
  const shore = height * random.between(0.52, 0.62);
  let mountains = '';
  for (let i = 0; i < 4; i += 1) {
    const t = 0.1 + i * 0.22;
    const heights = skyline(s, height * (0.36 - 0.07 * i), 0.54).map((h) => Math.min(h, -8 - i * 4));
    mountains += ridgeLayer(s, `k${i}`, alongX(heights, shore - 60 + i * 18), t, 0.5);
  }
  const above = sky(s, shore) + mountains;
  let out =
    `<clipPath id="up"><rect width="1000" height="${n(shore)}"/></clipPath>` +
    group(group(above), { 'clip-path': 'url(#up)' });
  out +=
    `<clipPath id="dn"><rect y="${n(shore)}" width="1000" height="${n(height - shore)}"/></clipPath>` +
    blur('rip', 1, 5);
  out += group(
    group(group(above, { 'clip-path': 'url(#up)' }), {
      transform: `translate(0 ${n(shore * 2)}) scale(1 -1)`,
      filter: 'url(#rip)',
    }) +
      linear('wt', [
        [0, s.depth(0.7), 0.12],
        [1, s.near, 0.75],
      ]) +
      rect(0, shore, 1000, height - shore, 'url(#wt)'),
    { 'clip-path': 'url(#dn)' },
  );
  for (let i = 0; i < 46; i += 1) {
    const depth = random.next() ** 1.5;
    const w = random.between(30, 190) * (0.4 + depth);
    out += rect(random.next() * 1000 - w / 2, shore + 4 + depth * (height - shore), w, 1 + depth * 3, s.horizon, {
      'fill-opacity': 0.3,
      rx: 1,
    });
  }
  if (random.chance(0.5)) {
    const [x, y] = [random.between(250, 750), shore + (height - shore) * random.between(0.25, 0.5)];
    out +=
      path(
        `M${n(x - 62)} ${n(y)}Q${n(x)} ${n(y + 40)} ${n(x + 62)} ${n(y)}Q${n(x)} ${n(y + 9)} ${n(x - 62)} ${n(y)}Z`,
        s.near,
      ) +
      rect(x - 4, y - 34, 8, 40, s.near, { rx: 4 }) +
      circle(x, y - 42, 9, s.near);
  }
  return out;
}

function pines(s: Scene): string {
  const { random, height } = s;
  const start = height * random.between(0.36, 0.48);
  let out = sky(s, start + 160);
  out += ridgeLayer(s, 'pf', alongX(skyline(s, height * 0.3, 0.55), start), 0.08);
  const layers = 4;
  for (let i = 0; i < layers; i += 1) {
    const t = 0.25 + (0.75 * i) / (layers - 1);
    const ground = skyline(s, height * 0.16, 0.4);
    const y = start + (height - start) * (0.2 + 0.22 * i);
    const points = alongX(ground, y);
    const tall = 46 + i * i * 30;
    let trees = '';
    for (let x = -20; x < 1030; x += tall * random.between(0.16, 0.55)) {
      const at = points[Math.min(points.length - 1, Math.max(0, Math.round(((x + 10) / 1020) * 128)))] as Point;
      trees += conifer(x, at.y + 12, tall * random.between(0.6, 1.25));
    }
    const color = s.depth(t);
    out += linear(
      `pn${i}`,
      [
        [0, color],
        [1, mix(color, s.horizon, 0.5 * (1 - t))],
      ],
      { gradientUnits: 'userSpaceOnUse', x1: 0, x2: 0, y1: y - tall, y2: y + 200 },
    );
    out += path(`${trees}${polyline(points)}L1010 ${n(height + 10)}L-10 ${n(height + 10)}Z`, `url(#pn${i})`);
  }
  return out;
}

function conifer(x: number, foot: number, tall: number): string {
  let d = `M${n(x)} ${n(foot - tall)}`;
  for (let i = 1; i <= 5; i += 1)
    d += `L${n(x + tall * 0.045 * i)} ${n(foot - tall * (1 - i * 0.19))}L${n(x + tall * 0.024 * i)} ${n(foot - tall * (1.02 - i * 0.19))}`;
  for (let i = 5; i >= 1; i -= 1)
    d += `L${n(x - tall * 0.024 * i)} ${n(foot - tall * (1.02 - i * 0.19))}L${n(x - tall * 0.045 * i)} ${n(foot - tall * (1 - i * 0.19))}`;
  return `${d}Z`;
}

function hills(s: Scene): string {
  const { random, height } = s;
  const start = random.between(0.44, 0.56);
  const big: Scene = { ...s, sun: { ...s.sun, r: random.between(130, 210), y: height * (start - 0.06) } };
  let out = sky(big, height * (start + 0.1));
  const layers = random.int(4, 6);
  for (let i = 0; i < layers; i += 1) {
    const t = i / (layers - 1);
    const points: Point[] = [];
    const [a, b, phase] = [random.between(180, 380), random.between(70, 150), random.between(0, 6)];
    const rise = height * 0.075 * (1 - t * 0.3);
    for (let x = -40; x <= 1040; x += 45)
      points.push({
        x,
        y: height * (start + t * 0.42) + Math.sin(x / a + phase) * rise + Math.sin(x / b + phase * 2) * rise * 0.25,
      });
    const d = `${smooth(points)}L1040 ${n(height + 10)}L-40 ${n(height + 10)}Z`;
    out += path(d, s.depth(t));
    if (t > 0.2) {
      out += `<clipPath id="h${i}"><path d="${d}"/></clipPath>`;
      let rows = '';
      const lean = random.between(-0.9, 0.9);
      for (let k = -14; k < 34; k += 1) {
        const x = k * 46;
        rows += stroke(
          `M${n(x)} ${n(height * (start - 0.05))}Q${n(x + lean * 220)} ${n(height * 0.75)} ${n(x + lean * 560)} ${n(height + 20)}`,
          s.depth(Math.min(1, t + 0.16)),
          9 * t + 3,
        );
      }
      if (random.chance(0.7)) out += group(rows, { 'clip-path': `url(#h${i})`, opacity: 0.5 });
    }
  }
  return out;
}

/** Rain or fog in front of the scene. */
function weather(s: Scene): string {
  const { random, theme, height } = s;
  let out = '';
  if (theme.weather === 'rain') {
    for (let i = 0; i < 170; i += 1) {
      const [x, y, l] = [random.next() * 1100, random.next() * height, random.between(20, 70)];
      out += stroke(`M${n(x)} ${n(y)}l${n(-l * 0.22)} ${n(l)}`, '#fff', 1.4, {
        'stroke-opacity': random.between(0.12, 0.4),
      });
    }
  } else if (theme.weather === 'fog') {
    out += blur('fog', 60, 16);
    for (let i = 0; i < 7; i += 1)
      out += ellipse(
        random.next() * 1000,
        height * random.between(0.4, 0.85),
        random.between(300, 600),
        random.between(18, 48),
        s.horizon,
        { 'fill-opacity': 0.6, filter: 'url(#fog)' },
      );
  }
  return out;
}

/** Layered ridgelines, dunes, coasts and roads. */
export const landscape: Painter = (board) => {
  const s = scene(board);
  const compose = choose(board.theme, board.random, [
    { words: 'ridge mountain peak alps summit winter range', value: ridges },
    { words: 'dune dunes desert sand flats sahara', value: dunes },
    { words: 'sea ocean cliff coast beach island tide harbour waves shore', value: sea },
    { words: 'road highway drive miles nowhere mile route telegraph', value: road },
    { words: 'plateau canyon mesa butte gorge badlands', value: plateau },
    { words: 'lake mirror still reflection pond fjord boat', value: lake },
    { words: 'forest pine pines woods timber cabin wolf tree', value: pines },
    { words: 'hill hills field fields meadow farm valley vineyard rows', value: hills },
  ]);
  return compose(s) + weather(s);
};

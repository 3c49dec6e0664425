import { darken, lighten, mix, type Hex } from '../color.js';
import {
  blur,
  circle,
  clip,
  ellipse,
  glow,
  group,
  linear,
  n,
  path,
  rect,
  stroke,
  type Board,
  type Painter,
} from '../svg.js';
import { choose } from '../theme.js';

interface Night extends Board {
  /** From the zenith to the horizon. */
  readonly top: Hex;
  readonly middle: Hex;
  readonly glow: Hex;
  readonly neon: readonly Hex[];
}

const SKIES: readonly { readonly words: string; readonly value: readonly [Hex, Hex, Hex] }[] = [
  { words: 'august summer sunset heat dusk coral', value: ['#0b0722', '#5b1a6b', '#ff5a5f'] },
  { words: 'harbour rain ferry sea teal river water', value: ['#030d24', '#0d3b66', '#19b5a5'] },
  { words: 'fire signal red market lantern tram', value: ['#120414', '#7a1033', '#ff9a3d'] },
  { words: 'neon arcade disco pink love', value: ['#050a18', '#2b2a72', '#e04fb0'] },
  { words: 'blue hour rooftop cold winter snow', value: ['#061226', '#1c4a86', '#8fb8ff'] },
  { words: 'gold brass dawn lamp yellow taxi', value: ['#0d0b1a', '#4b2b4f', '#ffc46b'] },
  { words: 'green absinthe lime fog subway', value: ['#04120f', '#124437', '#b6e36a'] },
  { words: 'violet dream lavender midnight', value: ['#0a0620', '#3c2483', '#c59bff'] },
];

function night(board: Board): Night {
  const [top, middle, horizon] = choose(board.theme, board.random, SKIES);
  return { ...board, top, middle, glow: horizon, neon: [horizon, '#fff0c9', '#6ff0e0', '#ff4f8b', '#ffb13d'] };
}

function sky(s: Night, horizonY: number): string {
  let out =
    linear('s', [
      [0, s.top],
      [0.6, s.middle],
      [1, s.glow],
    ]) + rect(0, 0, 1000, horizonY + 2, 'url(#s)');
  for (let i = 0; i < 60; i += 1)
    out += circle(s.random.next() * 1000, s.random.next() ** 1.6 * horizonY * 0.6, s.random.between(0.5, 1.6), '#fff', {
      'fill-opacity': s.random.between(0.2, 0.8),
    });
  return out;
}

function moon(s: Night, x: number, y: number, r: number): string {
  return (
    glow('moonlight', x, y, r * 2.6, '#fff3dc', 0.5) +
    circle(x, y, r, '#fff1da') +
    circle(x - r * 0.3, y + r * 0.2, r * 0.16, '#f0dcbd') +
    circle(x + r * 0.28, y - r * 0.3, r * 0.1, '#f0dcbd')
  );
}

/** Lit windows in a grid over a wall. */
function windows(s: Night, x: number, y: number, w: number, h: number, density: number, cell = 15): string {
  const columns = Math.max(2, Math.round(w / cell));
  const step = w / columns;
  let out = '';
  for (let yy = y + 10; yy < y + h - 8; yy += cell) {
    for (let c = 0; c < columns; c += 1) {
      if (!s.random.chance(density)) continue;
      out += rect(
        x + (c + 0.25) * step,
        yy,
        step * 0.5,
        cell * 0.48,
        s.random.chance(0.12) ? s.random.pick(s.neon) : '#ffdf9e',
        { 'fill-opacity': s.random.between(0.4, 0.95) },
      );
    }
  }
  return out;
}

/** A soft halo around a light. It consists of nested shapes, because a blur filter per light is too slow. */
function halo(x: number, y: number, w: number, h: number, color: Hex, reach: number): string {
  return [1, 0.72, 0.46, 0.22]
    .map((k) =>
      rect(x - reach * k, y - reach * k, w + 2 * reach * k, h + 2 * reach * k, color, {
        rx: reach * k + 3,
        'fill-opacity': 0.1,
      }),
    )
    .join('');
}

/** The filter `rf` for the reflection. Its region is limited to the visible water, in the mirror's own coordinates. */
function reflectionBlur(shore: number, height: number): string {
  return `<filter id="rf" filterUnits="userSpaceOnUse" x="0" y="${n(2 * shore - height - 30)}" width="1000" height="${n(height - shore + 60)}"><feGaussianBlur stdDeviation="3 9"/></filter>`;
}

function neonBar(s: Night, x: number, y: number, h: number, color = s.random.pick(s.neon)): string {
  return (
    halo(x, y, 6, h, color, 11) +
    rect(x, y, 6, h, color, { rx: 3 }) +
    rect(x + 1.6, y + 2, 2.6, h - 4, '#ffffff', { rx: 1.3, 'fill-opacity': 0.75 })
  );
}

const layerColor = (s: Night, layer: number): Hex =>
  [mix(s.middle, s.glow, 0.35), mix(s.top, s.middle, 0.7), darken(s.top, 0.35)][layer] ?? s.top;

function roof(s: Night, x: number, y: number, w: number, color: Hex): string {
  const kind = s.random.int(0, 6);
  if (kind === 0) return rect(x + w * 0.48, y - 46, 3, 46, color);
  if (kind === 1) return path(`M${n(x)} ${n(y + 1)}L${n(x + w / 2)} ${n(y - w * 0.5)}L${n(x + w)} ${n(y + 1)}Z`, color);
  if (kind === 2)
    return rect(x + w * 0.2, y - 18, w * 0.6, 20, color) + rect(x + w * 0.36, y - 34, w * 0.28, 18, color);
  if (kind === 3) return path(`M${n(x)} ${n(y + 1)}A${n(w / 2)} ${n(w / 2)} 0 0 1 ${n(x + w)} ${n(y + 1)}Z`, color);
  if (kind === 4) return path(`M${n(x)} ${n(y + 1)}L${n(x + w)} ${n(y - w * 0.45)}L${n(x + w)} ${n(y + 1)}Z`, color);
  return '';
}

function skyline(s: Night, foot: number, tall: number): string {
  const { random } = s;
  let out = '';
  const peakAt = random.between(150, 850);
  for (let layer = 0; layer < 3; layer += 1) {
    const color = layerColor(s, layer);
    for (let x = -20 - random.next() * 40; x < 1020;) {
      const w = random.between(46, 130) * (1 + layer * 0.2);
      const near = 1 - Math.min(1, Math.abs(x + w / 2 - peakAt) / 620);
      const h = tall * (0.22 + random.next() ** 2 * 0.5 + near * 0.36) * (1 - 0.17 * layer);
      const y = foot - h;
      out += rect(x, y, w, h, color) + roof(s, x, y, w, color);
      if (layer > 0) {
        out += windows(s, x, y, w, h, random.between(0.1, 0.42));
        if (random.chance(0.35))
          out += neonBar(s, x + w * random.between(0.2, 0.8), y + h * 0.15, h * random.between(0.25, 0.55));
      }
      x += w + (layer === 2 ? random.between(0, 26) : 2);
    }
  }
  return out;
}

/** A skyline over dark water. */
function waterfront(s: Night): string {
  const { random, height } = s;
  const shore = height * random.between(0.58, 0.72);
  const r = random.between(90, 190);
  const upper =
    sky(s, shore) +
    moon(s, random.between(220, 780), shore - height * random.between(0.16, 0.36), r) +
    skyline(s, shore, height * random.between(0.42, 0.62));
  let out = group(upper, { 'clip-path': 'url(#over)' });
  out =
    clip('over', `<rect width="1000" height="${n(shore)}"/>`) +
    clip('under', `<rect y="${n(shore)}" width="1000" height="${n(height - shore)}"/>`) +
    reflectionBlur(shore, height) +
    out;
  out += group(
    group(upper, { transform: `translate(0 ${n(2 * shore)}) scale(1 -1)`, filter: 'url(#rf)' }) +
      rect(0, shore, 1000, height - shore, s.top, { 'fill-opacity': 0.45 }),
    { 'clip-path': 'url(#under)' },
  );
  for (let i = 0; i < 52; i += 1) {
    const w = random.between(30, 190);
    out += rect(
      random.next() * 1000 - w / 2,
      shore + random.next() ** 1.4 * (height - shore),
      w,
      random.between(1, 3.6),
      random.chance(0.4) ? s.glow : s.top,
      { 'fill-opacity': random.between(0.15, 0.55) },
    );
  }
  if (s.theme.words.some((word) => /^(ferry|boat|ship|harbour)/.test(word)) || random.chance(0.3))
    out += ferry(s, random.between(200, 700), shore + (height - shore) * random.between(0.35, 0.6));
  return out;
}

function ferry(s: Night, x: number, y: number): string {
  const dark = darken(s.top, 0.4);
  let out =
    path(`M${n(x - 130)} ${n(y)}L${n(x + 150)} ${n(y)}L${n(x + 120)} ${n(y + 38)}L${n(x - 100)} ${n(y + 38)}Z`, dark) +
    rect(x - 90, y - 34, 180, 36, dark) +
    rect(x - 50, y - 60, 90, 28, dark) +
    rect(x + 46, y - 76, 20, 44, s.glow);
  for (let i = 0; i < 9; i += 1) out += rect(x - 82 + i * 19, y - 26, 11, 12, '#ffdf9e');
  for (let i = 0; i < 4; i += 1) out += rect(x - 42 + i * 20, y - 54, 12, 10, '#ffdf9e');
  return out + ellipse(x, y + 46, 170, 7, s.glow, { 'fill-opacity': 0.35 });
}

/** A street canyon with one vanishing point, signs on both sides and wet asphalt. */
function street(s: Night): string {
  const { random, height } = s;
  const vx = random.between(380, 620);
  const vy = height * random.between(0.5, 0.62);
  let out =
    blur('wet', 4, 26) +
    sky(s, vy + 30) +
    moon(s, vx + random.between(-60, 60), vy - height * random.between(0.18, 0.3), random.between(46, 96));
  out += rect(0, vy, 1000, height - vy, darken(s.top, 0.25));
  let walls = '';
  let shine = '';
  for (let i = 0; i < 6; i += 1) {
    // From the far (small) houses to the near ones
    const q = ((i + 1) / 6) ** 1.9;
    for (const side of [-1, 1]) {
      const edgeX = vx + side * (34 + q * (side < 0 ? vx + 60 : 1060 - vx) * 0.86);
      const farX = vx + side * (34 + (i / 6) ** 1.9 * (side < 0 ? vx + 60 : 1060 - vx) * 0.86);
      const tall = (vy * 0.34 + q * vy * 1.05) * random.between(0.72, 1.2);
      const foot = vy + 10 + q * (height - vy) * 0.55;
      const color = mix(mix(s.middle, s.glow, 0.3), darken(s.top, 0.3), Math.min(1, q * 1.5 + 0.1));
      const x = Math.min(edgeX, farX);
      const w = Math.abs(edgeX - farX) + 24;
      walls +=
        rect(side < 0 ? x - 24 : x, foot - tall, w, tall + 40, color) +
        roof(s, side < 0 ? x - 24 : x, foot - tall, w, color);
      walls += windows(s, side < 0 ? x - 24 : x, foot - tall, w, tall, random.between(0.15, 0.4), 12 + q * 22);
      if (i > 0) {
        const neon = random.pick(s.neon);
        const signX = side < 0 ? edgeX + 2 + q * 14 : edgeX - 26 - q * 40;
        const signH = (40 + q * 190) * random.between(0.7, 1.2);
        const signW = 12 + q * 42;
        const signY = foot - tall * random.between(0.5, 0.8);
        walls +=
          halo(signX, signY, signW, signH, neon, 16) +
          rect(signX, signY, signW, signH, darken(neon, 0.72), { rx: 4, stroke: neon, 'stroke-width': 2 + q * 4 });
        const glyphs = Math.max(2, Math.round(signH / signW));
        for (let g = 0; g < glyphs; g += 1)
          walls += glyph(
            s,
            signX + signW * 0.24,
            signY + (g + 0.18) * (signH / glyphs),
            signW * 0.52,
            (signH / glyphs) * 0.62,
            neon,
          );
        shine += rect(signX - 6, foot + 20, signW + 12, signH * 1.5, neon, { 'fill-opacity': 0.5 });
      }
    }
  }
  out += walls;
  const foot = vy + 10;
  out += path(
    `M${n(vx - 34)} ${n(foot)}L${n(vx + 34)} ${n(foot)}L1320 ${n(height + 10)}L-320 ${n(height + 10)}Z`,
    darken(s.top, 0.3),
  );
  out +=
    clip('rd', `<rect y="${n(foot)}" width="1000" height="${n(height - foot)}"/>`) +
    group(
      group(shine + ellipse(vx, foot + 20, 70, 300, '#fff1da', { 'fill-opacity': 0.45 }), { filter: 'url(#wet)' }),
      { 'clip-path': 'url(#rd)' },
    );
  for (let i = 0; i < 8; i += 1) {
    const [a, b] = [(i / 8) ** 2, ((i + 0.5) / 8) ** 2];
    out += path(
      `M${n(vx - 1 - a * 10)} ${n(foot + a * (height - foot))}h${n(2 + a * 20)}L${n(vx + 1 + b * 10)} ${n(foot + b * (height - foot))}h${n(-2 - b * 20)}Z`,
      '#fff0c9',
      { 'fill-opacity': 0.7 },
    );
  }
  if (s.theme.words.some((word) => /^(tram|bus|taxi|train)/.test(word)) || random.chance(0.35))
    out += tram(s, vx + random.between(-40, 40), foot + (height - foot) * 0.3, random.between(0.7, 1.25));
  return out;
}

/** An invented letter made of light bars. */
function glyph(s: Night, x: number, y: number, w: number, h: number, color: Hex): string {
  const bar = (bx: number, by: number, bw: number, bh: number): string =>
    rect(x + bx * w, y + by * h, bw * w, bh * h, lighten(color, 0.35), { rx: 1.5 });
  const parts = [
    bar(0, 0, 1, 0.16),
    bar(0, 0.42, 1, 0.16),
    bar(0, 0.84, 1, 0.16),
    bar(0, 0, 0.18, 1),
    bar(0.82, 0, 0.18, 1),
    bar(0.42, 0.1, 0.18, 0.8),
  ];
  return s.random.shuffle(parts).slice(0, s.random.int(3, 4)).join('');
}

function tram(s: Night, x: number, y: number, scale: number): string {
  const body = s.random.pick([s.glow, '#e8503a', '#f2b441', '#2f8f83']);
  let out =
    glow('lamp', 0, 40, 210, '#fff0c9', 0.4) +
    rect(-74, -130, 148, 190, body, { rx: 22 }) +
    rect(-62, -106, 124, 74, '#fff0c9', { rx: 8 }) +
    rect(-3, -106, 6, 74, body) +
    rect(-74, -10, 148, 16, darken(body, 0.35));
  out +=
    circle(-44, 30, 12, '#fff6dd') +
    circle(44, 30, 12, '#fff6dd') +
    rect(-26, -128, 52, 16, darken(s.top, 0.2), { rx: 3 }) +
    rect(-20, -123, 40, 6, '#ffb13d') +
    rect(-64, 56, 128, 12, darken(s.top, 0.5));
  out +=
    stroke('M-30 -130L0 -180L30 -130', darken(s.top, 0.4), 5) +
    stroke('M-1000 -182L1000 -176', darken(s.top, 0.4), 2.4);
  return group(out, { transform: `translate(${n(x)} ${n(y)}) scale(${scale.toFixed(2)})` });
}

/** Roofs with tanks, aerials and washing lines in front of a distant skyline. */
function rooftops(s: Night): string {
  const { random, height } = s;
  const foot = height * random.between(0.66, 0.76);
  let out =
    sky(s, foot) +
    moon(s, random.between(180, 820), height * random.between(0.16, 0.34), random.between(60, 170)) +
    skyline(s, foot, height * 0.36);
  out += rect(0, foot - 2, 1000, height, darken(s.top, 0.2));
  for (let row = 0; row < 3; row += 1) {
    const color = darken(mix(s.top, s.middle, 0.55 - row * 0.25), 0.15 + row * 0.22);
    for (let x = -60 + random.next() * -60; x < 1020;) {
      const w = random.between(150, 330);
      const y = foot - 30 + row * height * 0.11 + random.between(-34, 24);
      out += rect(x, y, w, height - y + 10, color) + rect(x - 6, y - 9, w + 12, 13, lighten(color, 0.09));
      if (random.chance(0.75)) out += windows(s, x + 14, y + 16, w - 28, Math.min(130, height - y), 0.28, 30);
      out += roofFurniture(s, x + w * random.between(0.2, 0.7), y - 8, darken(color, 0.25), 0.75 + row * 0.35);
      x += w + random.between(-10, 18);
    }
  }
  return out;
}

function roofFurniture(s: Night, x: number, y: number, color: Hex, scale: number): string {
  const kind = s.random.int(0, 4);
  const at = (content: string): string =>
    group(content, { transform: `translate(${n(x)} ${n(y)}) scale(${scale.toFixed(2)})` });
  if (kind === 0)
    return at(
      rect(-36, -104, 72, 66, color) +
        path('M-42 -102L0 -136L42 -102Z', color) +
        stroke('M-28 -40L-32 0M28 -40L32 0M0 -40V0M-30 -20H30', color, 5),
    );
  if (kind === 1) return at(stroke('M0 0V-130M-34 -112H34M-26 -94H26M-16 -76H16', color, 4));
  if (kind === 2)
    return at(
      rect(-26, -46, 52, 48, color) +
        rect(-32, -52, 64, 8, color) +
        ellipse(4, -74, 10, 20, '#ffffff', { 'fill-opacity': 0.14 }),
    );
  if (kind === 3) {
    let line = stroke('M-80 0V-64M80 0V-64M-80 -60Q0 -44 80 -60', color, 3);
    for (let i = 0; i < 5; i += 1)
      line += rect(-62 + i * 26, -54, 17, s.random.between(24, 40), s.random.pick(s.neon), { 'fill-opacity': 0.85 });
    return at(line);
  }
  return at(neonBar(s, -4, -120, 96) + rect(-2, -24, 4, 24, color));
}

/** A wall of windows, some of them lit. */
function facade(s: Night): string {
  const { random, height } = s;
  const columns = random.int(4, 7);
  const gap = 1000 / columns;
  const rows = Math.ceil(height / (gap * 1.1));
  const wall = mix(s.top, s.middle, 0.35);
  let out =
    linear('s', [
      [0, s.middle],
      [1, s.top],
    ]) +
    rect(0, 0, 1000, height, wall) +
    rect(0, 0, 1000, height, 'url(#s)', { opacity: 0.5 });
  const awake = random.between(0.22, 0.5);
  for (let row = 0; row < rows; row += 1) {
    out += rect(0, row * gap * 1.1 + gap * 1.02, 1000, gap * 0.05, darken(wall, 0.25));
    for (let column = 0; column < columns; column += 1) {
      const [x, y, w, h] = [column * gap + gap * 0.17, row * gap * 1.1 + gap * 0.16, gap * 0.66, gap * 0.72];
      const lit = random.chance(awake);
      const light = random.chance(0.55) ? '#ffdf9e' : random.pick(s.neon);
      if (lit) out += halo(x, y, w, h, light, 34);
      out += rect(x, y, w, h, lit ? light : darken(wall, 0.42));
      if (lit) out += windowLife(s, x, y, w, h, light);
      else
        out += path(
          `M${n(x)} ${n(y + h)}L${n(x + w * 0.7)} ${n(y)}H${n(x + w)}L${n(x + w * 0.3)} ${n(y + h)}Z`,
          '#ffffff',
          { 'fill-opacity': 0.05 },
        );
      out +=
        rect(x + w / 2 - 2.5, y, 5, h, darken(wall, 0.5)) + rect(x - 6, y + h, w + 12, gap * 0.05, lighten(wall, 0.12));
    }
  }
  return out;
}

function windowLife(s: Night, x: number, y: number, w: number, h: number, light: Hex): string {
  const dark = darken(light, 0.72);
  const kind = s.random.int(0, 6);
  const cx = x + w * s.random.between(0.3, 0.7);
  if (kind === 0)
    return (
      circle(cx, y + h * 0.48, w * 0.13, dark) +
      path(
        `M${n(cx - w * 0.24)} ${n(y + h)}Q${n(cx - w * 0.22)} ${n(y + h * 0.62)} ${n(cx)} ${n(y + h * 0.62)}Q${n(cx + w * 0.22)} ${n(y + h * 0.62)} ${n(cx + w * 0.24)} ${n(y + h)}Z`,
        dark,
      )
    );
  if (kind === 1)
    return path(
      `M${n(cx - w * 0.14)} ${n(y + h)}v${n(-h * 0.2)}q${n(w * 0.02)} ${n(-h * 0.18)} ${n(w * 0.05)} ${n(-h * 0.1)}h${n(w * 0.1)}q${n(w * 0.04)} ${n(-h * 0.08)} ${n(w * 0.05)} ${n(h * 0.1)}v${n(h * 0.2)}Z`,
      dark,
    );
  if (kind === 2)
    return (
      stroke(`M${n(cx)} ${n(y)}v${n(h * 0.25)}`, dark, 3) +
      path(
        `M${n(cx - w * 0.16)} ${n(y + h * 0.38)}L${n(cx - w * 0.06)} ${n(y + h * 0.24)}h${n(w * 0.12)}L${n(cx + w * 0.16)} ${n(y + h * 0.38)}Z`,
        dark,
      )
    );
  if (kind === 3)
    return (
      rect(cx - w * 0.12, y + h * 0.76, w * 0.24, h * 0.24, dark) +
      [-40, -14, 14, 40]
        .map((a) =>
          ellipse(0, -h * 0.17, w * 0.05, h * 0.18, dark, {
            transform: `translate(${n(cx)} ${n(y + h * 0.8)}) rotate(${a})`,
          }),
        )
        .join('')
    );
  if (kind === 4)
    return (
      path(`M${n(x)} ${n(y)}h${n(w * 0.3)}q${n(-w * 0.04)} ${n(h * 0.6)} ${n(-w * 0.3)} ${n(h)}Z`, dark, {
        'fill-opacity': 0.45,
      }) +
      path(`M${n(x + w)} ${n(y)}h${n(-w * 0.3)}q${n(w * 0.04)} ${n(h * 0.6)} ${n(w * 0.3)} ${n(h)}Z`, dark, {
        'fill-opacity': 0.45,
      })
    );
  return '';
}

/** A lit bridge over a river, with the city behind it. */
function bridge(s: Night): string {
  const { random, height } = s;
  const water = height * random.between(0.66, 0.74);
  const deck = water - height * random.between(0.05, 0.1);
  const dark = darken(s.top, 0.45);
  let upper =
    sky(s, water) +
    moon(s, random.between(180, 820), height * random.between(0.2, 0.36), random.between(50, 130)) +
    skyline(s, water, height * random.between(0.22, 0.34));
  const towers = random.chance(0.5) ? [random.between(240, 320), random.between(690, 780)] : [random.between(420, 580)];
  const tall = height * random.between(0.3, 0.42);
  for (const x of towers)
    upper +=
      rect(x - 22, deck - tall, 12, tall + 60, dark) +
      rect(x + 10, deck - tall, 12, tall + 60, dark) +
      rect(x - 24, deck - tall + 20, 48, 10, dark) +
      rect(x - 24, deck - tall * 0.5, 48, 10, dark) +
      circle(x, deck - tall - 8, 5, '#ff4f4f');
  const anchors = [-260, ...towers, 1260];
  for (let i = 0; i + 1 < anchors.length; i += 1) {
    const [a, b] = [anchors[i] as number, anchors[i + 1] as number];
    const [ya, yb] = [i === 0 ? deck - 20 : deck - tall, i + 2 === anchors.length ? deck - 20 : deck - tall];
    const sag = i === 0 || i + 2 === anchors.length ? Math.max(ya, yb) + 6 : deck + tall * 0.62;
    upper += stroke(`M${n(a)} ${n(ya)}Q${n((a + b) / 2)} ${n(sag)} ${n(b)} ${n(yb)}`, dark, 6);
    for (let k = 1; k < 16; k += 1) {
      const t = k / 16;
      const x = a + (b - a) * t;
      const y = (1 - t) ** 2 * ya + 2 * t * (1 - t) * sag + t * t * yb;
      upper +=
        rect(x, y, 2, deck - y, dark) +
        circle(x, y, 4, '#ffe9b8') +
        circle(x, y, 9, '#ffe9b8', { 'fill-opacity': 0.25 });
    }
  }
  upper += rect(0, deck, 1000, 18, dark);
  for (let i = 0; i < 26; i += 1)
    upper += rect(
      random.next() * 1000,
      deck + 5,
      random.between(10, 40),
      3,
      random.pick(['#fff0c9', '#ff4f4f', s.glow]),
    );
  const defs =
    reflectionBlur(water, height) +
    clip('over', `<rect width="1000" height="${n(water)}"/>`) +
    clip('under', `<rect y="${n(water)}" width="1000" height="${n(height - water)}"/>`);
  let out = defs + group(upper, { 'clip-path': 'url(#over)' });
  out += group(
    group(upper, { transform: `translate(0 ${n(2 * water)}) scale(1 -1)`, filter: 'url(#rf)' }) +
      rect(0, water, 1000, height - water, s.top, { 'fill-opacity': 0.5 }),
    { 'clip-path': 'url(#under)' },
  );
  for (let i = 0; i < 40; i += 1)
    out += rect(
      random.next() * 960,
      water + random.next() * (height - water),
      random.between(30, 150),
      random.between(1, 3),
      s.glow,
      { 'fill-opacity': random.between(0.1, 0.4) },
    );
  return out;
}

function rain(s: Night): string {
  if (s.theme.weather !== 'rain') return '';
  let out = '';
  for (let i = 0; i < 190; i += 1) {
    const [x, y] = [s.random.next() * 1080, s.random.next() * s.height];
    const l = s.random.between(22, 80);
    out += stroke(`M${n(x)} ${n(y)}l${n(-l * 0.18)} ${n(l)}`, '#cfe6ff', 1.5, {
      'stroke-opacity': s.random.between(0.14, 0.45),
    });
  }
  return out;
}

/** Cities after midnight: skylines over water, street canyons, roofs, lit walls, bridges. */
export const city: Painter = (board) => {
  const s = night(board);
  const compose = choose(board.theme, board.random, [
    { words: 'harbour ferry river water skyline island district sea quay', value: waterfront },
    { words: 'street tram asphalt signal lights traffic taxi market crossing avenue alley neon bus', value: street },
    { words: 'roof rooftop rooftops above washing pigeons aerials water-tank', value: rooftops },
    { words: 'window windows awake apartment neighbour neighbours facade insomnia tower hotel floor', value: facade },
    { words: 'bridge crossing train viaduct home commute', value: bridge },
  ]);
  return compose(s) + rain(s);
};

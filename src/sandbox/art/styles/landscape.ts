import { lighten, mix, oklch, rich, type Hex } from '../color.js';
import { across, below, fractalLine } from '../shapes.js';
import { at, blur, circle, clipped, ellipse, glow, group, linear, path, polyline, rainfall, rect } from '../svg.js';
import { reflected, repeat, ROUND_ENDS, stroke, svg, textOf, wash } from '../svg.js';
import { type Attributes, type Board, type Drawing, type Painter, type Point } from '../svg.js';
import { choose, type TimeOfDay } from '../theme.js';

const LIGHT = {
  dawn: { top: [0.74, 0.07], horizon: [0.93, 0.07], far: [0.8, 0.07], near: [0.3, 0.07], warm: 0.35 },
  day: { top: [0.7, 0.1], horizon: [0.94, 0.03], far: [0.8, 0.06], near: [0.34, 0.09], warm: 0 },
  dusk: { top: [0.36, 0.12], horizon: [0.82, 0.15], far: [0.62, 0.14], near: [0.17, 0.06], warm: 0.3 },
  night: { top: [0.15, 0.05], horizon: [0.42, 0.09], far: [0.36, 0.08], near: [0.1, 0.03], warm: 0 },
} as const;

type Scene = ReturnType<typeof scene>;

/** The colours of a scene, from the haze at the horizon to the dark foreground, and its sun or moon. */
function scene(board: Board) {
  const { random, theme, height } = board;
  const light = LIGHT[theme.time];
  const skyTop = oklch(light.top[0], light.top[1], skyHue(theme.secondHue, theme.time));
  const horizon = oklch(light.horizon[0], light.horizon[1], theme.hue);
  const far = oklch(light.far[0], light.far[1], theme.hue);
  // A cool scene stays cool towards its foreground, because brown water or brown snow looks wrong.
  const nearHue = isWarm(theme.secondHue) && !isWarm(theme.hue) ? theme.hue : theme.secondHue;
  const near = rich(light.near[0], light.near[1], nearHue);
  const lightness = (light.far[0] + light.near[0]) / 2;
  const chroma = (light.far[1] + light.near[1]) / 1.6;
  const middle = rich(lightness, chroma, mixHue(theme.hue, nearHue));
  const r = random.pick([34, 50, 72, 110, 150]);
  return {
    ...board,
    skyTop,
    horizon,
    near,
    light: theme.time === 'night' ? '#f4efdc' : mix('#ffffff', oklch(0.93, 0.1, 85), light.warm),
    /** Ground colour at depth t: 0 is far and hazy, 1 is near. */
    depth: (t: number): Hex => (t < 0.5 ? mix(far, middle, t * 2) : mix(middle, near, t * 2 - 1)),
    sun: { ...random.point(180, 820, height * 0.16, height * 0.4), r },
  };
}

const isWarm = (hue: number): boolean => hue > 35 && hue < 190;

/** With a low sun, the upper sky is blue to violet: brown or green looks wrong. */
function skyHue(hue: number, time: TimeOfDay): number {
  const warm = isWarm(hue);
  return warm && (time === 'dusk' || time === 'night') ? 250 + (hue % 60) : warm && time === 'day' ? 235 : hue;
}

function mixHue(a: number, b: number): number {
  const distance = ((b - a + 540) % 360) - 180;
  return (a + distance / 2 + 360) % 360;
}

function sky(s: Scene, horizonY: number): Drawing {
  const { random, theme } = s;
  const star = (): Drawing => {
    const x = random.next() * 1000;
    const y = random.next() ** 1.3 * horizonY;
    const r = random.between(0.6, 2.4) * (random.chance(0.06) ? 1.7 : 1);
    return circle(x, y, r, '#fff', { 'fill-opacity': random.between(0.25, 0.95) });
  };
  return [
    wash('sky', 0, horizonY + 2, {
      0: s.skyTop,
      45: mix(s.skyTop, s.horizon, 0.45),
      80: mix(s.skyTop, s.horizon, 0.88),
      100: s.horizon,
    }),
    rect(0, horizonY, 1000, s.height - horizonY, s.horizon),
    theme.time === 'night' ? repeat(170, star) : [],
    sunOrMoon(s),
    clouds(s, horizonY),
  ];
}

function sunOrMoon({ sun, theme, random, light, skyTop, horizon }: Scene): Drawing {
  const crescent = theme.time === 'night' && random.chance(0.5);
  return [
    glow('halo', sun.x, sun.y, sun.r * 4.2, light, theme.time === 'day' ? 0.7 : 0.55),
    circle(sun.x, sun.y, sun.r, light, { 'fill-opacity': 0.96 }),
    crescent ? circle(sun.x + sun.r * 0.42, sun.y - sun.r * 0.16, sun.r * 0.9, mix(skyTop, horizon, 0.3)) : [],
  ];
}

function clouds({ random, theme, horizon }: Scene, horizonY: number): Drawing {
  if (theme.time === 'night' || random.chance(0.35)) return [];
  return repeat(random.int(2, 5), () => {
    const y = horizonY * random.between(0.18, 0.8);
    const x = random.between(-100, 900);
    const length = random.between(160, 520);
    const last = random.int(1, 3);
    const bars = repeat(last + 1, (k) => {
      const w = length * random.between(0.3, 1);
      const startX = x + random.between(0, length - w);
      return svg`M${startX} ${y + (last - k) * 15}h${w}a10 10 0 0 1 0 20h${-w}a10 10 0 0 1 0 -20z`;
    });
    return path(textOf(bars), lighten(horizon, 0.45), { 'fill-opacity': 0.5 });
  });
}

/** A rugged line across the picture, around the level `y`. `shape` changes its heights. */
type Shape = (height: number, index: number) => number;

const rugged = (s: Scene, y: number, amplitude: number, roughness: number, shape: Shape = (h) => h): Point[] =>
  across(fractalLine(s.random, amplitude, roughness).map(shape), -10, 1010, y);

const fillBelow = (s: Scene, points: readonly Point[]): string => below(polyline(points), -10, 1010, s.height + 10);

/** A gradient over the given levels of the board, instead of over the shape. */
const levels = (y1: number, y2: number): Attributes => ({ gradientUnits: 'userSpaceOnUse', y1, y2 });

function ridgeLayer(s: Scene, id: string, points: readonly Point[], t: number, haze = 0.55): Drawing {
  const top = Math.min(...points.map((p) => p.y));
  const foot = mix(s.depth(t), s.horizon, haze * (1 - t * 0.8));
  return [linear(id, { 0: s.depth(t), 75: foot }, levels(top, top + 330)), path(fillBelow(s, points), `url(#${id})`)];
}

function ridges(s: Scene): Drawing {
  const layers = s.random.int(4, 7);
  const start = s.random.between(0.38, 0.55);
  const rough = s.random.pick([0.46, 0.54, 0.6]);
  const steep = s.random.between(0.16, 0.42);
  return [
    sky(s, s.height * (start + 0.18)),
    repeat(layers, (i) => {
      const t = i / (layers - 1);
      const y = s.height * (start + (0.95 - start) * t * 0.92);
      const line = rugged(s, y, s.height * steep * (1 - 0.55 * t), rough - 0.08 * t);
      return ridgeLayer(s, `r${i}`, line, t);
    }),
  ];
}

function dunes(s: Scene): Drawing {
  const horizonY = s.height * s.random.between(0.36, 0.5);
  const above = sky(s, horizonY);
  const layers = s.random.int(4, 6);
  return [above, repeat(layers, (i) => dune(s, horizonY, (i + 0.6) / layers)), birds(s, horizonY * 0.7)];
}

/** A lit slope and its shaded side, at depth `t`. */
function dune({ random, height, depth, light }: Scene, horizonY: number, t: number): Drawing {
  const x = random.between(120, 880);
  const y = horizonY + (height - horizonY) * (t - 0.18) * 0.95 - height * 0.05 * random.next();
  const drop = height * random.between(0.07, 0.16) * (0.6 + t);
  const left = y + drop * random.between(0.6, 1.3);
  const right = y + drop * random.between(0.6, 1.3);
  const sway = random.between(-130, 60);
  const bottom = height + 10;
  const crest = svg`M-20 ${left}C${x * 0.4} ${left + 10} ${x - 150} ${y + 12} ${x} ${y}`;
  const down = svg`C${x + 90} ${y + drop * 0.5} ${x + (1000 - x) * 0.6} ${right - 8} 1020 ${right}L1020 ${bottom}`;
  const back = svg`C${x + sway - 60} ${y + drop * 3} ${x + sway + 120} ${y + drop * 1.3} ${x} ${y}Z`;
  return [
    path(svg`${crest}${down}L-20 ${bottom}Z`, mix(depth(t * 0.75), light, 0.16 * (1 - t))),
    path(svg`M${x} ${y}${down}L${x + sway * 2} ${bottom}${back}`, depth(Math.min(1, t * 0.8 + 0.26))),
  ];
}

function birds({ random, near }: Scene, y: number): Drawing {
  if (random.chance(0.5)) return [];
  const x = random.between(150, 800);
  return repeat(random.int(3, 7), () => {
    const place = at(x + random.between(-130, 130), y + random.between(-60, 60));
    const w = random.between(9, 20);
    const wings = svg`M${-w} ${-w * 0.3}Q${-w * 0.4} ${-w * 0.5} 0 0Q${w * 0.4} ${-w * 0.5} ${w} ${-w * 0.3}`;
    return stroke(wings, near, 2.6, { ...ROUND_ENDS, ...place });
  });
}

function sea(s: Scene): Drawing {
  const { random, height } = s;
  const horizonY = height * random.between(0.46, 0.62);
  const sun = { ...s.sun, y: horizonY - s.sun.r * random.between(0.1, 2.4) };
  const above = sky({ ...s, sun }, horizonY);
  const wave = (): Drawing => {
    const depth = random.next() ** 1.5;
    const y = horizonY + 3 + depth * (height - horizonY);
    const inPath = random.chance(0.5);
    const w = inPath ? (sun.r * 0.7 + depth * 160) * random.between(0.3, 1) : random.between(20, 150) * (0.4 + depth);
    const x = inPath ? sun.x + random.between(-0.5, 0.5) * (sun.r + depth * 200) : random.next() * 1000;
    const color = inPath ? s.light : random.pick([s.horizon, s.depth(0.85)]);
    const opacity = inPath ? 0.62 - depth * 0.25 : 0.26;
    return rect(x - w / 2, y, w, 1.4 + depth * 7, color, { rx: 0.7 + depth * 3, 'fill-opacity': opacity });
  };
  const waves = repeat(130, wave);
  const side = random.chance(0.5) ? 1 : -1;
  const cliffs: Drawing[] = [];
  for (let i = 0; i < random.int(2, 4); i += 1) {
    const foot = horizonY + (height - horizonY) * (0.02 + 0.15 * i);
    cliffs.push(cliff(s, foot, side * (i % 2 === 0 ? 1 : -0.7), height * random.between(0.16, 0.34), i));
  }
  return [
    above,
    wash('sea', horizonY, height, { 0: mix(s.horizon, s.depth(0.3), 0.55), 35: s.depth(0.5), 100: s.depth(0.95) }),
    waves,
    cliffs,
    birds(s, horizonY * 0.5),
  ];
}

/** A cliff at the right edge, or at the left one when `side` is negative. Its size gives the reach. */
function cliff({ random, depth, light }: Scene, foot: number, side: number, tall: number, index: number): Drawing {
  const t = 0.35 + index * 0.2;
  const reach = random.between(140, 420) * Math.abs(side);
  const toward = Math.sign(side);
  const [edge, inner] = side > 0 ? [1010, 1000 - reach] : [-10, reach];
  const top = repeat(12, (i) => {
    const q = (i + 1) / 12;
    const rise = tall * Math.min(1, q * 2.6) * random.between(0.84, 1.04);
    return svg`L${inner + toward * reach * q * (q < 0.3 ? 0.6 : 1)} ${foot - rise}`;
  });
  const id = `cl${index}`;
  return [
    linear(id, { 0: mix(depth(t), light, 0.14), 100: depth(Math.min(1, t + 0.25)) }),
    path(svg`M${inner} ${foot}${top}L${edge} ${foot - tall}L${edge} ${foot}Z`, `url(#${id})`),
    rect(Math.min(inner, edge) - 12, foot - 2, reach + 40, 5, light, { 'fill-opacity': 0.35, rx: 2 }),
  ];
}

function road(s: Scene): Drawing {
  const { random, height } = s;
  const horizonY = height * random.between(0.42, 0.56);
  const above = [
    sky(s, horizonY),
    ridgeLayer(s, 'fr', rugged(s, horizonY - 6, height * 0.12, 0.5), 0.12),
    mesas(s, horizonY, random.int(1, 3)),
  ];
  const scrub = repeat(70, () => {
    const depth = random.next() ** 1.7;
    const x = random.next() * 1000;
    const color = random.pick([s.depth(0.85), s.depth(0.25)]);
    const y = horizonY + depth * (height - horizonY);
    return ellipse(x, y, 6 + depth * 60, 1 + depth * 8, color, { 'fill-opacity': 0.35 });
  });
  const vx = random.between(300, 700);
  const bend = random.between(-340, 340);
  const foot = random.between(250, 750);
  const bottom = height + 10;
  /** The part of the road between two distances from its middle, at the lower edge. */
  const lane = (left: number, right: number): string => {
    const top = svg`${vx} ${horizonY}`;
    const first = svg`${vx + bend * 0.3} ${horizonY + 70}`;
    const second = (w: number): string => svg`${vx + bend + w * 0.4} ${horizonY + 130}`;
    const down = svg`M${top}C${first} ${second(left)} ${foot + left} ${bottom}`;
    return svg`${down}L${foot + right} ${bottom}C${second(right)} ${first} ${top}Z`;
  };
  const side = random.chance(0.5) ? 1 : -1;
  return [
    above,
    wash('plain', horizonY, height, { 0: mix(s.depth(0.2), s.horizon, 0.4), 30: s.depth(0.38), 100: s.depth(0.72) }),
    scrub,
    path(lane(-190, 190), s.near),
    path(lane(-178, -168) + lane(168, 178), s.light, { 'fill-opacity': 0.6 }),
    path(lane(-7, 7), s.light, { 'fill-opacity': 0.9 }),
    repeat(9, (i) => {
      const q = (i / 8) ** 2.2;
      const x = vx + side * (30 + q * 620);
      const y = horizonY + 4 + q * (height - horizonY) * 0.5;
      const tall = 18 + q * 420;
      return [
        rect(x, y - tall, 1.4 + q * 9, tall, s.near),
        rect(x - tall * 0.11, y - tall * 0.9, tall * 0.24, 1.2 + q * 6, s.near),
      ];
    }),
  ];
}

const mesas = (s: Scene, foot: number, count: number): Drawing =>
  repeat(count, (i) => {
    const w = s.random.between(140, 420);
    const x = s.random.between(-60, 900);
    const tall = s.height * s.random.between(0.08, 0.22);
    const slope = w * 0.16;
    const t = 0.22 + 0.12 * i;
    const rise = svg`M0 3L${slope} ${-tall * 0.5}L${slope * 1.15} ${-tall}`;
    const fall = svg`L${w - slope * 1.2} ${-tall * 0.98}L${w - slope} ${-tall * 0.45}L${w} 3Z`;
    const layer = (k: number): Drawing =>
      rect(slope * 1.3, -tall * (0.86 - k * 0.14), w - slope * 2.6, tall * 0.035, s.depth(t + 0.3), {
        'fill-opacity': 0.5,
      });
    return [
      linear(`m${i}`, { 0: s.depth(t + 0.18), 100: mix(s.depth(t), s.horizon, 0.35) }),
      group([path(rise + fall, `url(#m${i})`), repeat(3, layer)], at(x, foot)),
    ];
  });

function plateau(s: Scene): Drawing {
  const { random, height } = s;
  const horizonY = height * random.between(0.5, 0.62);
  return [
    sky(s, horizonY),
    mesas(s, horizonY, random.int(3, 5)),
    repeat(4, (i) => {
      const y = horizonY + (height - horizonY) * (i / 4) + 18;
      const steps = rugged(s, y, 40, 0.45, (h, k) => h * 0.4 + (Math.sin(k / 17 + i * 2) > 0.3 ? -26 : 0));
      return ridgeLayer(s, `pl${i}`, steps, 0.45 + i * 0.17, 0.35);
    }),
  ];
}

function lake(s: Scene): Drawing {
  const { random, height } = s;
  const shore = height * random.between(0.52, 0.62);
  const mountains = repeat(4, (i) => {
    const y = shore - 60 + i * 18;
    const line = rugged(s, y, height * (0.36 - 0.07 * i), 0.54, (h) => Math.min(h, -8 - i * 4));
    return ridgeLayer(s, `k${i}`, line, 0.1 + i * 0.22, 0.5);
  });
  const water = wash('wt', shore, height, { 0: [s.depth(0.7), 0.12], 100: [s.near, 0.75] });
  const mirror = reflected(textOf([sky(s, shore), mountains]), shore, height, '1 5', water);
  const ripples = repeat(46, () => {
    const depth = random.next() ** 1.5;
    const w = random.between(30, 190) * (0.4 + depth);
    const x = random.next() * 1000 - w / 2;
    const y = shore + 4 + depth * (height - shore);
    return rect(x, y, w, 1 + depth * 3, s.horizon, { 'fill-opacity': 0.3, rx: 1 });
  });
  return [mirror, ripples, random.chance(0.5) ? rower(s, shore) : []];
}

function rower({ random, height, near }: Scene, shore: number): Drawing {
  const boat = [
    path('M-62 0Q0 40 62 0Q0 9 -62 0Z', near),
    rect(-4, -34, 8, 40, near, { rx: 4 }),
    circle(0, -42, 9, near),
  ];
  return group(boat, at(random.between(250, 750), shore + (height - shore) * random.between(0.25, 0.5)));
}

function pines(s: Scene): Drawing {
  const { random, height } = s;
  const start = height * random.between(0.36, 0.48);
  return [
    sky(s, start + 160),
    ridgeLayer(s, 'pf', rugged(s, start, height * 0.3, 0.55), 0.08),
    repeat(4, (i) => {
      const t = 0.25 + 0.25 * i;
      const y = start + (height - start) * (0.2 + 0.22 * i);
      const ground = rugged(s, y, height * 0.16, 0.4);
      const tall = 46 + i * i * 30;
      let trees = '';
      for (let x = -20; x < 1030; x += tall * random.between(0.16, 0.55)) {
        const foot = ground[Math.min(128, Math.max(0, Math.round(((x + 10) / 1020) * 128)))] as Point;
        trees += conifer(x, foot.y + 12, tall * random.between(0.6, 1.25));
      }
      const color = s.depth(t);
      return [
        linear(`pn${i}`, { 0: color, 100: mix(color, s.horizon, 0.5 * (1 - t)) }, levels(y - tall, y + 200)),
        path(trees + fillBelow(s, ground), `url(#pn${i})`),
      ];
    }),
  ];
}

function conifer(x: number, foot: number, tall: number): string {
  const tip = (i: number, side: number): string => svg`L${x + side * tall * 0.045 * i} ${foot - tall * (1 - i * 0.19)}`;
  const notch = (i: number, side: number): string =>
    svg`L${x + side * tall * 0.024 * i} ${foot - tall * (1.02 - i * 0.19)}`;
  const down = [1, 2, 3, 4, 5].map((i) => tip(i, 1) + notch(i, 1));
  const up = [5, 4, 3, 2, 1].map((i) => notch(i, -1) + tip(i, -1));
  return svg`M${x} ${foot - tall}${down}${up}Z`;
}

function hills(s: Scene): Drawing {
  const { random, height } = s;
  const start = random.between(0.44, 0.56);
  const sun = { ...s.sun, r: random.between(130, 210), y: height * (start - 0.06) };
  const above = sky({ ...s, sun }, height * (start + 0.1));
  const layers = random.int(4, 6);
  const hill = (i: number): Drawing => {
    const t = i / (layers - 1);
    const a = random.between(180, 380);
    const b = random.between(70, 150);
    const phase = random.between(0, 6);
    const rise = height * 0.075 * (1 - t * 0.3);
    const points = repeat(109, (k) => {
      const x = -40 + k * 10;
      const wave = Math.sin(x / a + phase) + Math.sin(x / b + phase * 2) * 0.25;
      return { x, y: height * (start + t * 0.42) + wave * rise };
    });
    const shape = below(polyline(points), -40, 1040, height + 10);
    const ground = path(shape, s.depth(t));
    if (t <= 0.2) return ground;
    const lean = random.between(-0.9, 0.9);
    if (!random.chance(0.7)) return ground;
    const rows = repeat(48, (k) => {
      const x = (k - 14) * 46;
      const middle = svg`${x + lean * 220} ${height * 0.75}`;
      const row = svg`M${x} ${height * (start - 0.05)}Q${middle} ${x + lean * 560} ${height + 20}`;
      return stroke(row, s.depth(Math.min(1, t + 0.16)), 9 * t + 3);
    });
    return [ground, clipped(`h${i}`, path(shape, '#000'), rows, { opacity: 0.5 })];
  };
  return [above, repeat(layers, hill)];
}

/** Rain or fog in front of the scene. */
function weather(s: Scene): Drawing {
  const { random, theme, height } = s;
  if (theme.weather === 'rain') return rainfall(s, 170, '#fff');
  if (theme.weather !== 'fog') return [];
  const bank = (): Drawing => {
    const { x, y } = random.point(0, 1000, height * 0.4, height * 0.85);
    const rx = random.between(300, 600);
    const ry = random.between(18, 48);
    return ellipse(x, y, rx, ry, s.horizon, { 'fill-opacity': 0.6, filter: 'url(#fog)' });
  };
  return [blur('fog', 60, 16), repeat(7, bank)];
}

/** Layered ridgelines, dunes, coasts and roads. */
export const landscape: Painter = (board) => {
  const s = scene(board);
  const compose = choose(board.theme, board.random, {
    'ridge mountain peak alps summit winter range': ridges,
    'dune dunes desert sand flats sahara': dunes,
    'sea ocean cliff coast beach island tide harbour waves shore': sea,
    'road highway drive miles nowhere mile route telegraph': road,
    'plateau canyon mesa butte gorge badlands': plateau,
    'lake mirror still reflection pond fjord boat': lake,
    'forest pine pines woods timber cabin wolf tree': pines,
    'hill hills field fields meadow farm valley vineyard rows': hills,
  });
  return [compose(s), weather(s)];
};

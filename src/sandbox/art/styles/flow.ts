import { mix, oklch, rich, type Hex } from '../color.js';
import { around, at, circle, group, polyline, rect, repeat, ROUND, ROUND_ENDS, stroke, svg } from '../svg.js';
import { wash, type Board, type Drawing, type Painter, type Point } from '../svg.js';
import { choose } from '../theme.js';

type Ink = ReturnType<typeof inkOf>;

function inkOf(board: Board) {
  const { theme, random } = board;
  const dark = theme.time === 'night' || random.chance(0.15);
  const hueStep = ((theme.secondHue - theme.hue + 540) % 360) - 180;
  const light = (): Hex => random.pick(['#f6f1e7', '#f2eadb', oklch(0.95, 0.025, theme.hue)]);
  /** Ink between the two hues; `weight` 0 is pale, 1 is full. */
  const ink = (t: number, weight: number): Hex => {
    const lightness = dark ? 0.55 + weight * 0.35 : 0.74 - weight * 0.46;
    return rich(lightness, 0.05 + 0.11 * weight, (theme.hue + hueStep * t + 360) % 360);
  };
  return { ...board, dark, paper: dark ? rich(0.19, 0.04, theme.secondHue) : light(), ink };
}

/** Strokes of a hair of the brush. */
const hair = (points: readonly Point[], color: Hex, width: number, opacity: number): Drawing =>
  stroke(polyline(points), color, width, { 'stroke-opacity': opacity, ...ROUND });

/** The direction of a brush at a point, in radians. */
type Field = (x: number, y: number) => number;

/** The points of a brush stroke that follows the field. */
function follow(field: Field, from: Point, steps: number): Point[] {
  const points = [from];
  let { x, y } = from;
  for (let i = 0; i < steps; i += 1) {
    ({ x, y } = around(x, y, 12, field(x, y)));
    points.push({ x, y });
  }
  return points;
}

function field({ random, height, ink }: Ink): Drawing {
  const a = random.between(2, 8);
  const b = random.between(2, 8);
  const p = random.between(0, 6.3);
  const q = random.between(0, 6.3);
  const force = random.between(1.2, 2.4);
  const angle: Field = (x, y) => Math.sin((x / 1000) * a + p) * force + Math.cos((y / 1000) * b + q) * force;
  const strokes = random.pick([300, 460, 640]);
  const broad = random.between(5, 13);
  return repeat(strokes, () => {
    const line = follow(angle, random.point(-80, 1080, -80, height + 80), random.int(14, 40));
    const width = 1.5 + random.next() ** 2 * broad;
    return hair(line, ink(random.next(), random.next()), width, random.between(0.4, 0.9));
  });
}

/** Strokes around one or two centres, like a storm. */
function vortex({ random, height, theme, ink }: Ink): Drawing {
  const { count } = theme;
  const eyes = repeat(count && count < 4 ? count : random.int(1, 2), () =>
    random.point(250, 750, height * 0.25, height * 0.75),
  );
  const drift = random.between(-0.35, 0.25);
  const angle: Field = (x, y) => {
    const pulls = eyes.map((eye, i) => {
      const dx = x - eye.x;
      const dy = y - eye.y;
      const turn = (i % 2 === 0 ? 1 : -1) * (Math.PI / 2 + drift);
      return around(0, 0, 1 / (60 + dx * dx + dy * dy), Math.atan2(dy, dx) + turn);
    });
    return Math.atan2(sum(pulls.map((pull) => pull.y)), sum(pulls.map((pull) => pull.x)));
  };
  const strokes = repeat(520, () => {
    const eye = random.pick(eyes);
    const a = random.next() * 6.3;
    const r = 20 + random.next() ** 0.7 * 720;
    const line = follow(angle, around(eye.x, eye.y, r, a), random.int(10, 34));
    const width = 1.2 + random.next() ** 2 * 11;
    return hair(line, ink(Math.min(1, r / 700), random.next()), width, random.between(0.45, 0.92));
  });
  return [strokes, random.chance(0.6) ? eyes.map(({ x, y }) => circle(x, y, 26, ink(0, 1))) : []];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Currents across the sheet in bands; each band consists of many parallel strokes. */
function currents({ random, height, ink }: Ink): Drawing {
  const bands = random.int(5, 9);
  return repeat(bands, (band) => {
    const y = height * ((band + 0.5) / bands);
    const long = random.between(220, 420);
    const short = random.between(70, 140);
    const phase = random.between(0, 6.3);
    const rise = random.between(30, 96);
    const hairs = random.int(16, 30);
    const spread = (height / bands) * random.between(0.6, 1.15);
    const tone = random.next();
    return repeat(hairs, (h) => {
      const offset = (h / (hairs - 1) - 0.5) * spread;
      const line = repeat(41, (i) => {
        const x = -30 + i * 26;
        const pinch = 0.45 + 0.55 * Math.sin(x / (long * 1.3) + phase * 2) ** 2;
        const wave = Math.sin(x / long + phase) + Math.sin(x / short + phase) * 0.22;
        return { x, y: y + wave * rise + offset * pinch };
      });
      return hair(line, ink(tone, random.next()), random.between(1.5, 7), random.between(0.35, 0.85));
    });
  });
}

/** An arc, a wave and a spiral around the origin, for `t` from 0 to 1 and half the height of the sheet. */
const GESTURES: readonly ((t: number, half: number) => Point)[] = [
  (t, half) => ({ x: Math.cos(-2.2 + t * 5.6) * 290, y: Math.sin(-2.2 + t * 5.6) * half * 0.58 }),
  (t, half) => ({ x: -440 + 880 * t, y: half * 0.56 * Math.sin(t * 6.6 + 0.4) * (1 - t * 0.35) }),
  (t) => ({ x: Math.cos(t * 9.2) * (70 + t * 300), y: Math.sin(t * 9.2) * (60 + t * 280) }),
];

/** A single stroke of a very wide brush. */
function gesture(k: Ink): Drawing {
  const { random, height } = k;
  const shape = random.pick(GESTURES);
  const points = repeat(61, (i) => shape(i / 60, height / 2));
  const turn = random.between(-0.6, 0.6);
  const width = random.between(120, 230) * (shape === GESTURES[2] ? 0.5 : 1);
  const disc = (): Drawing => {
    const { x, y } = random.point(200, 800, height * 0.2, height * 0.5);
    const r = random.between(70, 150);
    return circle(x, y, r, k.ink(1, 0.55), { 'fill-opacity': 0.9 });
  };
  const behind = random.chance(0.6) ? disc() : [];
  const hairs = repeat(90, (h) => {
    const offset = (h / 89 - 0.5) * width;
    const start = random.int(0, 2);
    const end = 60 - Math.floor(random.next() ** 2 * 26);
    const wobble = random.between(-2.5, 2.5);
    const line = repeat(end - start, (index) => {
      const i = start + index;
      const [a, b] = [points[i], points[i + 1]] as [Point, Point];
      const pressure = 0.35 + 0.65 * Math.sin(Math.PI * Math.min(1, 0.14 + i / 58));
      const reach = offset * pressure * (1 + 0.12 * Math.sin(i / 5 + h / 9));
      return around(a.x + wobble, a.y, reach, Math.atan2(b.y - a.y, b.x - a.x) + Math.PI / 2);
    });
    const color = k.ink(Math.abs(offset) / width, random.between(0.3, 1));
    return hair(line, color, random.between(1.5, 6.5), random.between(0.5, 0.95));
  });
  const drop = (): Drawing => {
    const { x, y } = random.pick(points);
    const dx = random.between(-210, 210);
    const dy = random.between(-210, 210);
    const r = random.next() ** 3 * 13 + 1;
    return circle(500 + x + dx, height / 2 + y + dy, r, k.ink(random.next(), 0.8), { 'fill-opacity': 0.8 });
  };
  return [behind, group(hairs, at(500, height / 2, (turn * 180) / Math.PI)), repeat(46, drop), seal(k)];
}

/** The artist's square stamp. */
function seal({ random, height, paper }: Ink): Drawing {
  const bars = [
    rect(0, 0, 72, 72, '#d23b2a', { rx: 7 }),
    rect(14, 14, 10, 44, paper),
    rect(14, 14, 44, 9, paper),
    rect(34, 32, 24, 9, paper),
    rect(48, 32, 10, 26, paper),
  ];
  return group(bars, at(random.pick([70, 858]), height - 142));
}

/** A flock of thousands of small marks, densest where the flock folds. */
function murmuration({ random, height, ink, paper }: Ink): Drawing {
  const middle = random.point(220, 780, height * 0.5, height * 0.78);
  const sun = circle(middle.x, middle.y, random.between(60, 120), ink(0, 0.35), { 'fill-opacity': 0.85 });
  const p = random.between(0, 6.3);
  const q = random.between(0, 6.3);
  const w = random.between(0.9, 1.5);
  const bird = (): Drawing => {
    const t = random.next();
    const fold = Math.sin(t * 5 * w + p);
    const thick = 30 + 170 * Math.abs(Math.sin(t * 4 * w + q)) * (1 - Math.abs(t - 0.5));
    const spread = (random.next() + random.next() + random.next() - 1.5) * thick;
    const x = 40 + t * 920 + Math.cos(t * 7 + q) * 60 + spread * 0.35;
    const y = height * (0.42 + 0.2 * fold) + spread;
    const angle = Math.cos(t * 5 * w + p) * 0.8 + random.between(-0.5, 0.5);
    const wing = around(0, 0, random.between(3, 8), angle);
    const wings = svg`M${x - wing.x} ${y - wing.y}Q${x} ${y - 3} ${x + wing.x} ${y + wing.y}`;
    return stroke(wings, ink(t, 0.6 + 0.4 * random.next()), random.between(1, 2.8), ROUND_ENDS);
  };
  const reed = (): Drawing => {
    const x = random.next() * 1000;
    const l = random.between(20, 80);
    const blade = svg`M${x} ${height + 5}Q${x + 4} ${height * 0.9} ${x + random.between(-24, 24)} ${height - l}`;
    return stroke(blade, ink(1, 1), random.between(1, 3.5));
  };
  return [
    wash('fl', 0, height, {
      0: mix(paper, ink(1, 0.2), 0.5),
      70: paper,
      100: mix(paper, ink(0, 0.3), 0.75),
    }),
    sun,
    repeat(2300, bird),
    repeat(130, reed),
  ];
}

/** Rising threads of smoke that separate. */
function smoke({ random, height, ink }: Ink): Drawing {
  const plumes = random.int(1, 3);
  return repeat(plumes, (plume) => {
    const foot = 1000 * ((plume + 0.5) / plumes) + random.between(-90, 90);
    const a = random.between(0.9, 1.6);
    const b = random.between(2, 4);
    const phase = random.between(0, 6.3);
    return repeat(100, (h) => {
      const lane = h / 99 - 0.5;
      const thread = repeat(47, (i) => {
        const t = i / 46;
        const sway =
          Math.sin(t * 4.2 * a + phase) * 0.85 +
          Math.sin(t * 5 * b + phase + lane * 3.4 * t) * 0.34 +
          lane * 1.1 * Math.sin(t * 6 + phase + lane);
        return { x: foot + sway * t ** 1.5 * 270, y: height + 20 - t * (height + 40) };
      });
      return hair(thread, ink(Math.abs(lane) * 2, random.next()), random.between(0.8, 2.6), 0.5);
    });
  });
}

/** Rows of grass or rice, bent by the same wind. */
function grasses({ random, height, dark, ink, paper }: Ink): Drawing {
  const middle = random.point(200, 800, height * 0.18, height * 0.34);
  const moon = circle(middle.x, middle.y, random.between(60, 130), dark ? '#f4ecd6' : ink(0, 0.5));
  const lean = random.pick([-1, 1]) * random.between(60, 170);
  const blade = (row: number): Drawing => {
    const x = random.between(-120, 1120);
    const y = height * (0.5 + 0.09 * row);
    const tall = height * random.between(0.12, 0.26) * (0.7 + row * 0.11);
    const gust = lean * (0.5 + 0.7 * Math.sin(x / 190 + row)) * (0.6 + row * 0.12);
    const line = svg`M${x} ${y + tall * 0.5}Q${x + gust * 0.1} ${y - tall * 0.4} ${x + gust} ${y - tall * 0.62}`;
    const color = ink(row / 6, dark ? 1 - row * 0.12 : 0.25 + row * (0.12 * random.next() + 0.05));
    return stroke(line, color, random.between(1.4, 3) + row * 0.7, { ...ROUND_ENDS, 'stroke-opacity': 0.85 });
  };
  return [
    wash('gr', 0, height, { 0: mix(paper, ink(1, 0.5), dark ? 0.1 : 0.35), 100: paper }),
    moon,
    repeat(7, (row) => repeat(95, () => blade(row))),
  ];
}

/** Ink currents: fields, eddies, bands, one-stroke gestures, flocks, smoke and grass. */
export const flow: Painter = (board) => {
  const k = inkOf(board);
  const compose = choose(board.theme, board.random, {
    'field map fur leaves static thread memory': field,
    'whirlpool eye vortex spiral storm eddy drain carousel two': vortex,
    'ocean sea current river tide delta wave hair silk': currents,
    'gold stroke brush gesture dragon circle ribbon calligraphy bow letter thread': gesture,
    'murmuration starlings birds flock swarm bees fish sunset': murmuration,
    'smoke breath incense steam candle ghost fire rose': smoke,
    'grass rice reed reeds meadow wheat willow wind bamboo': grasses,
  });
  return [rect(0, 0, 1000, k.height, k.paper), compose(k)];
};

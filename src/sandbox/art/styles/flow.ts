import { mix, oklch, rich, type Hex } from '../color.js';
import { circle, linear, n, rect, stroke, type Board, type Painter, type Point } from '../svg.js';
import { choose } from '../theme.js';

interface Ink extends Board {
  readonly paper: Hex;
  readonly dark: boolean;
  /** Ink between the two hues; `weight` 0 is pale, 1 is full. */
  ink(t: number, weight: number): Hex;
}

function inkOf(board: Board): Ink {
  const { theme, random } = board;
  const dark = theme.time === 'night' || random.chance(0.15);
  const hueStep = ((theme.secondHue - theme.hue + 540) % 360) - 180;
  return {
    ...board,
    dark,
    paper: dark
      ? rich(0.19, 0.04, theme.secondHue)
      : random.pick(['#f6f1e7', '#f2eadb', oklch(0.95, 0.025, theme.hue)]),
    ink: (t, weight) =>
      rich(
        dark ? 0.55 + weight * 0.35 : 0.74 - weight * 0.46,
        0.05 + 0.11 * weight,
        (theme.hue + hueStep * t + 360) % 360,
      ),
  };
}

type Field = (x: number, y: number) => number;

/** A brush stroke that follows the field and gets drier towards its end. */
function follow(
  k: Ink,
  field: Field,
  from: Point,
  steps: number,
  width: number,
  color: Hex,
  opacity: number,
  step = 12,
): string {
  let { x, y } = from;
  let d = `M${n(x)} ${n(y)}`;
  for (let i = 0; i < steps; i += 1) {
    const a = field(x, y);
    x += Math.cos(a) * step;
    y += Math.sin(a) * step;
    d += `L${n(x)} ${n(y)}`;
  }
  return stroke(d, color, width, { 'stroke-opacity': opacity, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' });
}

function field(k: Ink): string {
  const { random, height } = k;
  const [a, b, p, q, force] = [
    random.between(2, 8),
    random.between(2, 8),
    random.between(0, 6.3),
    random.between(0, 6.3),
    random.between(1.2, 2.4),
  ];
  const angle: Field = (x, y) => Math.sin((x / 1000) * a + p) * force + Math.cos((y / 1000) * b + q) * force;
  const strokes = random.pick([300, 460, 640]);
  const broad = random.between(5, 13);
  let out = '';
  for (let i = 0; i < strokes; i += 1) {
    out += follow(
      k,
      angle,
      { x: random.between(-80, 1080), y: random.between(-80, height + 80) },
      random.int(14, 40),
      1.5 + random.next() ** 2 * broad,
      k.ink(random.next(), random.next()),
      random.between(0.4, 0.9),
    );
  }
  return out;
}

/** Strokes around one or two centres, like a storm. */
function vortex(k: Ink): string {
  const { random, height } = k;
  const eyes = Array.from(
    { length: k.theme.count && k.theme.count < 4 ? k.theme.count : random.int(1, 2) },
    (_, i) => ({ x: random.between(250, 750), y: height * random.between(0.25, 0.75), turn: i % 2 === 0 ? 1 : -1 }),
  );
  const drift = random.between(-0.35, 0.25);
  const angle: Field = (x, y) => {
    let [vx, vy] = [0, 0];
    for (const eye of eyes) {
      const [dx, dy] = [x - eye.x, y - eye.y];
      const weight = 1 / (60 + dx * dx + dy * dy);
      const a = Math.atan2(dy, dx) + eye.turn * (Math.PI / 2 + drift);
      vx += Math.cos(a) * weight;
      vy += Math.sin(a) * weight;
    }
    return Math.atan2(vy, vx);
  };
  let out = '';
  for (let i = 0; i < 520; i += 1) {
    const eye = random.pick(eyes);
    const [a, r] = [random.next() * 6.3, 20 + random.next() ** 0.7 * 720];
    out += follow(
      k,
      angle,
      { x: eye.x + Math.cos(a) * r, y: eye.y + Math.sin(a) * r },
      random.int(10, 34),
      1.2 + random.next() ** 2 * 11,
      k.ink(Math.min(1, r / 700), random.next()),
      random.between(0.45, 0.92),
    );
  }
  return out + (random.chance(0.6) ? eyes.map((eye) => circle(eye.x, eye.y, 26, k.ink(0, 1))).join('') : '');
}

/** Currents across the sheet in bands; each band consists of many parallel strokes. */
function currents(k: Ink): string {
  const { random, height } = k;
  const bands = random.int(5, 9);
  let out = '';
  for (let b = 0; b < bands; b += 1) {
    const y = height * ((b + 0.5) / bands);
    const [long, short, phase] = [random.between(220, 420), random.between(70, 140), random.between(0, 6.3)];
    const rise = random.between(30, 96);
    const hairs = random.int(16, 30);
    const spread = (height / bands) * random.between(0.6, 1.15);
    const tone = random.next();
    for (let h = 0; h < hairs; h += 1) {
      const offset = (h / (hairs - 1) - 0.5) * spread;
      let d = '';
      for (let x = -30; x <= 1030; x += 26) {
        const pinch = 0.45 + 0.55 * Math.sin(x / (long * 1.3) + phase * 2) ** 2;
        d += `${d === '' ? 'M' : 'L'}${n(x)} ${n(y + Math.sin(x / long + phase) * rise + Math.sin(x / short + phase) * rise * 0.22 + offset * pinch)}`;
      }
      out += stroke(d, k.ink(tone, random.next()), random.between(1.5, 7), {
        'stroke-opacity': random.between(0.35, 0.85),
        'stroke-linejoin': 'round',
      });
    }
  }
  return out;
}

/** A single stroke of a very wide brush. */
function gesture(k: Ink): string {
  const { random, height } = k;
  const points: Point[] = [];
  const kind = random.int(0, 2);
  for (let i = 0; i <= 60; i += 1) {
    const t = i / 60;
    if (kind === 0) {
      const a = -2.2 + t * 5.6;
      points.push({ x: 500 + Math.cos(a) * 290, y: height * 0.5 + Math.sin(a) * height * 0.29 });
    } else if (kind === 1) {
      points.push({ x: 60 + 880 * t, y: height * (0.5 + 0.28 * Math.sin(t * 6.6 + 0.4) * (1 - t * 0.35)) });
    } else {
      const a = t * 9.2;
      points.push({ x: 500 + Math.cos(a) * (70 + t * 300), y: height * 0.5 + Math.sin(a) * (60 + t * 280) });
    }
  }
  const turn = random.between(-0.6, 0.6);
  const width = random.between(120, 230) * (kind === 2 ? 0.5 : 1);
  const hairs = 90;
  let out = random.chance(0.6)
    ? circle(random.between(200, 800), height * random.between(0.2, 0.5), random.between(70, 150), k.ink(1, 0.55), {
        'fill-opacity': 0.9,
      })
    : '';
  for (let h = 0; h < hairs; h += 1) {
    const offset = (h / (hairs - 1) - 0.5) * width;
    const [start, end] = [random.int(0, 2), 60 - Math.floor(random.next() ** 2 * 26)];
    const wobble = random.between(-2.5, 2.5);
    let d = '';
    for (let i = start; i < end; i += 1) {
      const [a, b] = [points[i] as Point, points[i + 1] as Point];
      const angle = Math.atan2(b.y - a.y, b.x - a.x) + Math.PI / 2;
      const pressure =
        (0.35 + 0.65 * Math.sin(Math.PI * Math.min(1, 0.14 + i / 58))) * (1 + 0.12 * Math.sin(i / 5 + h / 9));
      const [ox, oy] = [Math.cos(angle) * offset * pressure + wobble, Math.sin(angle) * offset * pressure];
      const x = a.x + ox - 500;
      const y = a.y + oy - height / 2;
      d += `${d === '' ? 'M' : 'L'}${n(500 + x * Math.cos(turn) - y * Math.sin(turn))} ${n(height / 2 + x * Math.sin(turn) + y * Math.cos(turn))}`;
    }
    out += stroke(d, k.ink(Math.abs(offset) / width, random.between(0.3, 1)), random.between(1.5, 6.5), {
      'stroke-opacity': random.between(0.5, 0.95),
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
    });
  }
  for (let i = 0; i < 46; i += 1) {
    const at = random.pick(points);
    out += circle(
      at.x + random.between(-210, 210),
      at.y + random.between(-210, 210),
      random.next() ** 3 * 13 + 1,
      k.ink(random.next(), 0.8),
      { 'fill-opacity': 0.8 },
    );
  }
  return out + seal(k);
}

/** The artist's square stamp. */
function seal(k: Ink): string {
  const [x, y] = [k.random.pick([70, 858]), k.height - 142];
  return (
    rect(x, y, 72, 72, '#d23b2a', { rx: 7 }) +
    rect(x + 14, y + 14, 10, 44, k.paper) +
    rect(x + 14, y + 14, 44, 9, k.paper) +
    rect(x + 34, y + 32, 24, 9, k.paper) +
    rect(x + 48, y + 32, 10, 26, k.paper)
  );
}

/** A flock of thousands of small marks, densest where the flock folds. */
function murmuration(k: Ink): string {
  const { random, height } = k;
  const horizon = height * 0.9;
  let out =
    linear('fl', [
      [0, mix(k.paper, k.ink(1, 0.2), 0.5)],
      [0.7, k.paper],
      [1, mix(k.paper, k.ink(0, 0.3), 0.75)],
    ]) + rect(0, 0, 1000, height, 'url(#fl)');
  out += circle(random.between(220, 780), height * random.between(0.5, 0.78), random.between(60, 120), k.ink(0, 0.35), {
    'fill-opacity': 0.85,
  });
  const [p, q, w] = [random.between(0, 6.3), random.between(0, 6.3), random.between(0.9, 1.5)];
  for (let i = 0; i < 2300; i += 1) {
    const t = random.next();
    const fold = Math.sin(t * 5 * w + p);
    const thick = 30 + 170 * Math.abs(Math.sin(t * 4 * w + q)) * (1 - Math.abs(t - 0.5));
    const spread = (random.next() + random.next() + random.next() - 1.5) * thick;
    const x = 40 + t * 920 + Math.cos(t * 7 + q) * 60 + spread * 0.35;
    const y = height * (0.42 + 0.2 * fold) + spread;
    const [a, l] = [Math.cos(t * 5 * w + p) * 0.8 + random.between(-0.5, 0.5), random.between(3, 8)];
    out += stroke(
      `M${n(x - Math.cos(a) * l)} ${n(y - Math.sin(a) * l)}Q${n(x)} ${n(y - 3)} ${n(x + Math.cos(a) * l)} ${n(y + Math.sin(a) * l)}`,
      k.ink(t, 0.6 + 0.4 * random.next()),
      random.between(1, 2.8),
      { 'stroke-linecap': 'round' },
    );
  }
  for (let i = 0; i < 130; i += 1) {
    const [x, l] = [random.next() * 1000, random.between(20, 80)];
    out += stroke(
      `M${n(x)} ${n(height + 5)}Q${n(x + 4)} ${n(horizon)} ${n(x + random.between(-24, 24))} ${n(height - l)}`,
      k.ink(1, 1),
      random.between(1, 3.5),
    );
  }
  return out;
}

/** Rising threads of smoke that separate. */
function smoke(k: Ink): string {
  const { random, height } = k;
  const plumes = random.int(1, 3);
  let out = '';
  for (let p = 0; p < plumes; p += 1) {
    const x0 = 1000 * ((p + 0.5) / plumes) + random.between(-90, 90);
    const [a, b, phase] = [random.between(0.9, 1.6), random.between(2, 4), random.between(0, 6.3)];
    for (let h = 0; h < 100; h += 1) {
      const lane = h / 99 - 0.5;
      let d = '';
      for (let i = 0; i <= 46; i += 1) {
        const t = i / 46;
        const open = t ** 1.5 * 270;
        const x =
          x0 +
          Math.sin(t * 4.2 * a + phase) * open * 0.85 +
          Math.sin(t * 5 * b + phase + lane * 3.4 * t) * open * 0.34 +
          lane * open * 1.1 * Math.sin(t * 6 + phase + lane);
        d += `${i === 0 ? 'M' : 'L'}${n(x)} ${n(height + 20 - t * (height + 40))}`;
      }
      out += stroke(d, k.ink(Math.abs(lane) * 2, random.next()), random.between(0.8, 2.6), {
        'stroke-opacity': 0.5,
        'stroke-linejoin': 'round',
      });
    }
  }
  return out;
}

/** Rows of grass or rice, bent by the same wind. */
function grasses(k: Ink): string {
  const { random, height } = k;
  const [moonX, moonY] = [random.between(200, 800), height * random.between(0.18, 0.34)];
  let out =
    linear('gr', [
      [0, mix(k.paper, k.ink(1, 0.5), k.dark ? 0.1 : 0.35)],
      [1, k.paper],
    ]) +
    rect(0, 0, 1000, height, 'url(#gr)') +
    circle(moonX, moonY, random.between(60, 130), k.dark ? '#f4ecd6' : k.ink(0, 0.5));
  const lean = random.pick([-1, 1]) * random.between(60, 170);
  for (let row = 0; row < 7; row += 1) {
    const y = height * (0.5 + 0.09 * row);
    for (let i = 0; i < 95; i += 1) {
      const x = random.between(-120, 1120);
      const tall = height * random.between(0.12, 0.26) * (0.7 + row * 0.11);
      const gust = lean * (0.5 + 0.7 * Math.sin(x / 190 + row)) * (0.6 + row * 0.12);
      out += stroke(
        `M${n(x)} ${n(y + tall * 0.5)}Q${n(x + gust * 0.1)} ${n(y - tall * 0.4)} ${n(x + gust)} ${n(y - tall * 0.62)}`,
        k.ink(row / 6, k.dark ? 1 - row * 0.12 : 0.25 + row * 0.12 * random.next() + 0.05 * row),
        random.between(1.4, 3) + row * 0.7,
        { 'stroke-linecap': 'round', 'stroke-opacity': 0.85 },
      );
    }
  }
  return out;
}

/** Ink currents: fields, eddies, bands, one-stroke gestures, flocks, smoke and grass. */
export const flow: Painter = (board) => {
  const k = inkOf(board);
  const compose = choose(board.theme, board.random, [
    { words: 'field map fur leaves static thread memory', value: field },
    { words: 'whirlpool eye vortex spiral storm eddy drain carousel two', value: vortex },
    { words: 'ocean sea current river tide delta wave hair silk', value: currents },
    { words: 'gold stroke brush gesture dragon circle ribbon calligraphy bow letter thread', value: gesture },
    { words: 'murmuration starlings birds flock swarm bees fish sunset', value: murmuration },
    { words: 'smoke breath incense steam candle ghost fire rose', value: smoke },
    { words: 'grass rice reed reeds meadow wheat willow wind bamboo', value: grasses },
  ]);
  return rect(0, 0, 1000, k.height, k.paper) + compose(k);
};

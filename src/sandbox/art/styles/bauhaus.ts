import { brightness, mix, oklch, rich, type Hex } from '../color.js';
import { circle, group, n, path, rect, stroke, type Board, type Painter } from '../svg.js';
import { choose } from '../theme.js';

interface Print extends Board {
  readonly ground: Hex;
  readonly ink: Hex;
  readonly inks: readonly Hex[];
}

function print(board: Board): Print {
  const { theme, random } = board;
  const dark = theme.time === 'night';
  const ground = dark
    ? rich(0.24, 0.06, theme.secondHue)
    : random.pick(['#efe6d4', '#f3ecdf', oklch(0.92, 0.04, theme.hue)]);
  const contrast = (theme.hue + random.pick([150, 180, 210])) % 360;
  const inks = [
    rich(0.64, 0.2, theme.hue),
    rich(0.5, 0.15, theme.secondHue),
    oklch(0.8, 0.12, (theme.hue + 40) % 360),
    rich(dark ? 0.72 : 0.42, 0.12, contrast),
  ];
  return { ...board, ground, ink: dark ? '#f2e9d8' : '#1d1b1a', inks };
}

const anyInk = (p: Print): Hex => p.random.pick([...p.inks, ...p.inks.slice(0, 2), p.ink]);

/** Any ink except the given one. */
const otherInk = (p: Print, than: Hex): Hex => p.random.pick([...p.inks, p.ink].filter((color) => color !== than));

function tile(p: Print, x: number, y: number, g: number): string {
  const { random } = p;
  const color = anyInk(p);
  const turn = { transform: `rotate(${random.int(0, 3) * 90} ${n(x + g / 2)} ${n(y + g / 2)})` };
  // Only small tiles may stay empty.
  switch (random.int(0, g > 220 ? 6 : 7)) {
    case 0:
      return circle(x + g / 2, y + g / 2, g / 2, color) + circle(x + g / 2, y + g / 2, g / 4.4, otherInk(p, color));
    case 1:
      return path(`M${n(x)} ${n(y)}h${n(g)}a${n(g)} ${n(g)} 0 0 1 ${n(-g)} ${n(g)}z`, color, turn);
    case 2:
      return path(`M${n(x)} ${n(y)}l${n(g)} ${n(g)}h${n(-g)}z`, color, turn);
    case 3:
      return path(`M${n(x)} ${n(y)}h${n(g)}v${n(g / 2)}h${n(-g)}z`, color, turn);
    case 4: {
      const half = (top: number, fill: Hex): string =>
        path(`M${n(x)} ${n(y + top)}a${n(g / 2)} ${n(g / 2)} 0 0 1 ${n(g)} 0z`, fill, turn);
      return half(g / 2, color) + half(g, otherInk(p, color));
    }
    case 5: {
      let rings = '';
      for (let i = 0; i < 4; i += 1)
        rings += path(
          `M${n(x)} ${n(y)}h${n(g * (1 - i * 0.25))}a${n(g * (1 - i * 0.25))} ${n(g * (1 - i * 0.25))} 0 0 1 ${n(-g * (1 - i * 0.25))} ${n(g * (1 - i * 0.25))}z`,
          i % 2 === 0 ? color : p.ground,
        );
      return group(rings, turn);
    }
    case 6: {
      let bars = '';
      for (let i = 0; i < 4; i += 1) bars += rect(x, y + (i * g) / 4, g, g / 8, color);
      return group(bars, turn);
    }
    default:
      return '';
  }
}

function grid(p: Print): string {
  const columns = p.random.int(3, 6);
  const g = 1000 / columns;
  let out = '';
  for (let y = 0; y < p.height; y += g) for (let x = 0; x < 1000 - 1; x += g) out += tile(p, x, y, g);
  return out;
}

/** Tiles of several sizes: squares, some of them divided into four once or twice. */
function quadtree(p: Print): string {
  const split = (x: number, y: number, g: number, depth: number): string => {
    if (depth === 0 || (depth < 3 && p.random.chance(0.36))) return tile(p, x, y, g);
    const h = g / 2;
    return (
      split(x, y, h, depth - 1) +
      split(x + h, y, h, depth - 1) +
      split(x, y + h, h, depth - 1) +
      split(x + h, y + h, h, depth - 1)
    );
  };
  let out = '';
  for (let y = 0; y < p.height; y += 500) out += split(0, y, 500, 2) + split(500, y, 500, 2);
  return out;
}

/** A poster: a large disc, bars across it and small figures as counterweights. */
function poster(p: Print): string {
  const { random, height } = p;
  const angle = random.pick([-45, -30, -20, 20, 30, 45]);
  const [cx, cy, r] = [random.between(320, 680), height * random.between(0.32, 0.6), random.between(220, 350)];
  const [main, second, third] = random.shuffle(p.inks) as [Hex, Hex, Hex];
  let out = circle(cx, cy, r, main);
  let bars = '';
  for (let i = 0; i < random.int(3, 6); i += 1)
    bars += rect(
      random.between(-300, 500),
      random.between(-280, 420),
      random.between(320, 900),
      random.pick([14, 26, 54, 90]),
      random.pick([p.ink, second, third, p.ink]),
    );
  out += group(bars, { transform: `translate(${n(cx - 250)} ${n(cy - 60)}) rotate(${angle})` });
  out += path(
    `M${n(cx)} ${n(cy)}L${n(cx + r * 1.5)} ${n(cy)}A${n(r * 1.5)} ${n(r * 1.5)} 0 0 1 ${n(cx)} ${n(cy + r * 1.5)}Z`,
    second,
    { transform: `rotate(${random.int(0, 3) * 90 + angle} ${n(cx)} ${n(cy)})`, style: 'mix-blend-mode:multiply' },
  );
  const k = random.between(70, 140);
  const [sx, sy] = [
    cx > 500 ? random.between(110, 260) : random.between(740, 890),
    cy > height / 2 ? height * 0.17 : height * 0.83,
  ];
  out += circle(sx, sy, k, third) + circle(sx, sy, k * 0.45, p.ink);
  for (let i = 0; i < 6; i += 1) out += rect(60 + i * 34, height - 130, 14, 70, p.ink);
  return out + (random.chance(0.5) ? rect(0, 0, 56, height, p.ink) : rect(0, height - 44, 1000, 44, p.ink));
}

/** Rows of arches and rainbows. */
function arches(p: Print): string {
  const { random, height } = p;
  const columns = random.int(2, 4);
  const w = 1000 / columns;
  const rows = Math.max(2, Math.round(height / (w * 0.75)));
  const h = height / rows;
  let out = '';
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const inks = random.shuffle([...p.inks, p.ink]);
      const bands = random.int(3, 5);
      const x = column * w + (row % 2 === 0 ? 0 : w / 2);
      for (const shift of row % 2 !== 0 && column === columns - 1 ? [0, -1000] : [0]) {
        for (let b = 0; b < bands; b += 1) {
          const r = (w / 2) * (1 - b / bands);
          const cx = x + shift + w / 2;
          const foot = (row + 1) * h;
          const rise = Math.max(0, h - w / 2);
          out += path(
            `M${n(cx - r)} ${n(foot)}v${n(-rise)}a${n(r)} ${n(r)} 0 0 1 ${n(2 * r)} 0v${n(rise)}z`,
            b === bands - 1 ? p.ground : (inks[b % inks.length] as Hex),
          );
        }
      }
    }
  }
  return out;
}

/** Concentric rings, cut into sectors that are rotated against each other. */
function rings(p: Print): string {
  const { random, height } = p;
  const [cx, cy] = [random.between(300, 700), height * random.between(0.35, 0.65)];
  const count = random.int(6, 10);
  let out = '';
  for (let i = 0; i < count; i += 1) {
    const r = 720 * (1 - i / count);
    const start = random.int(0, 7) * 45;
    const color = anyInk(p);
    out += circle(cx, cy, r, i % 2 === 0 ? p.ground : mix(p.ground, p.ink, 0.06));
    for (const [from, sweep, fill] of [
      [start, random.pick([90, 135, 180]), color],
      [start + 200, random.pick([45, 90]), otherInk(p, color)],
    ] as const) {
      const at = (degrees: number): string =>
        `${n(cx + r * Math.cos((degrees * Math.PI) / 180))} ${n(cy + r * Math.sin((degrees * Math.PI) / 180))}`;
      out += path(`M${n(cx)} ${n(cy)}L${at(from)}A${n(r)} ${n(r)} 0 0 1 ${at(from + sweep)}Z`, fill);
    }
  }
  return out + circle(cx, cy, 720 / count / 1.6, p.ink);
}

/** Stripes of several widths, and discs that change colour where they overlap. */
function stripes(p: Print): string {
  const { random, height } = p;
  let bands = '';
  let inverse = '';
  const upright = random.chance(0.5);
  const length = upright ? 1000 : height;
  for (let at = 0, i = 0; at < length; i += 1) {
    const size = random.pick([24, 36, 60, 96, 140]);
    const color = i % 2 === 0 ? p.ground : anyInk(p);
    const counter = i % 2 === 0 ? anyInk(p) : brightness(color) > 0.5 ? p.ink : p.ground;
    bands += upright ? rect(at, 0, size + 1, height, color) : rect(0, at, 1000, size + 1, color);
    inverse += upright ? rect(at, 0, size + 1, height, counter) : rect(0, at, 1000, size + 1, counter);
    at += size;
  }
  let discs = '';
  const count = random.int(2, 5);
  for (let i = 0; i < count; i += 1) {
    const [x, y, r] = [random.between(150, 850), height * random.between(0.15, 0.85), random.between(90, 300)];
    discs += random.chance(0.7)
      ? circle(x, y, r, '#000')
      : path(`M${n(x - r)} ${n(y)}a${n(r)} ${n(r)} 0 0 1 ${n(2 * r)} 0z`, '#000', {
          transform: `rotate(${random.int(0, 3) * 90} ${n(x)} ${n(y)})`,
        });
  }
  return `${bands}<clipPath id="discs">${discs}</clipPath>${group(inverse, { 'clip-path': 'url(#discs)' })}`;
}

/** A row of instruments, animals and people made of half circles. */
function figures(p: Print): string {
  const { random, height } = p;
  const count = p.theme.count ? Math.min(6, p.theme.count) : random.int(3, 5);
  const w = 1000 / count;
  let out = rect(0, height * 0.8, 1000, height * 0.2, anyInk(p));
  for (let i = 0; i < count; i += 1) {
    const inks = random.shuffle([...p.inks, p.ink]) as [Hex, Hex, Hex, Hex, Hex];
    const [cx, body] = [w * (i + 0.5), w * random.between(0.62, 0.84)];
    const top = height * random.between(0.3, 0.5);
    const foot = height * 0.86;
    const head = body * random.between(0.26, 0.36);
    out += path(
      `M${n(cx - body / 2)} ${n(foot)}V${n(top + body / 2)}a${n(body / 2)} ${n(body / 2)} 0 0 1 ${n(body)} 0V${n(foot)}z`,
      inks[0],
    );
    out += path(
      `M${n(cx)} ${n(foot)}V${n(top)}a${n(body / 2)} ${n(body / 2)} 0 0 1 ${n(body / 2)} ${n(body / 2)}V${n(foot)}z`,
      inks[1],
    );
    out +=
      circle(cx, top - head * 0.6, head, inks[2]) +
      path(`M${n(cx)} ${n(top - head * 1.6)}a${n(head)} ${n(head)} 0 0 1 0 ${n(head * 2)}z`, inks[3]);
    out += random.chance(0.5)
      ? path(`M${n(cx - head)} ${n(top - head * 1.1)}a${n(head)} ${n(head)} 0 0 1 ${n(2 * head)} 0z`, inks[4])
      : rect(cx - head * 0.7, top - head * 2.3, head * 1.4, head * 1.1, inks[4]);
    const buttons = random.int(2, 4);
    for (let b = 0; b < buttons; b += 1) out += circle(cx, top + body * (0.7 + b * 0.3), body * 0.07, p.ground);
    const arm = random.chance(0.5) ? 1 : -1;
    out += stroke(
      `M${n(cx + (arm * body) / 2)} ${n(top + body * 0.6)}a${n(body * 0.3)} ${n(body * 0.3)} 0 0 ${arm > 0 ? 1 : 0} ${n(arm * body * 0.1)} ${n(body * 0.55)}`,
      inks[2],
      body * 0.12,
    );
  }
  return out;
}

/** Overlapping rows of half discs, like waves. */
function scales(p: Print): string {
  const { random, height } = p;
  const r = random.between(70, 130);
  let out = '';
  for (let row = 0, y = -r * 0.2; y < height + r; row += 1, y += r * 0.56) {
    for (let x = row % 2 === 0 ? 0 : r; x < 1000 + r * 2; x += r * 2) {
      const color = anyInk(p);
      out +=
        circle(x, y + r, r, color) +
        circle(x, y + r, r * 0.7, p.ground) +
        circle(x, y + r, r * 0.42, otherInk(p, color));
    }
  }
  return out;
}

/** Geometric prints: tiles, posters, arches, rings, stripes and figures. */
export const bauhaus: Painter = (board) => {
  const p = print(board);
  const compose = choose(board.theme, board.random, [
    { words: 'market chess grid map tiles town sale quilt puzzle above', value: grid },
    { words: 'city puzzle library museum rooms atlas drill', value: quadtree },
    { words: 'poster tiger tigers fire opera rocket match plane', value: poster },
    { words: 'arch arches bridge rainbow station theatre door cathedral', value: arches },
    { words: 'radio record orbit clock wheel circle moon timetabled timetable', value: rings },
    { words: 'bus piano stripes zebra train flag tennis sun swimming pool', value: stripes },
    { words: 'band orchestra plumber portrait family people dancers choir guests sisters waiter', value: figures },
    { words: 'sea ocean wave rain fish river scales picnic', value: scales },
  ]);
  return rect(0, 0, 1000, p.height, p.ground) + compose(p);
};

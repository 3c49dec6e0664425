import { brightness, mix, oklch, rich, type Hex } from '../color.js';
import { around, at, circle, clipped, group, path, rect, repeat, stroke, svg, textOf } from '../svg.js';
import { type Board, type Drawing, type Painter } from '../svg.js';
import { choose } from '../theme.js';

type Print = ReturnType<typeof print>;

/** The ground of a print and its inks. */
function print(board: Board) {
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

/** A tile of a grid: `g` units wide, with a simple shape in one or two inks. Only small tiles may stay empty. */
function tile(p: Print, x: number, y: number, g: number): Drawing {
  const { random } = p;
  const color = anyInk(p);
  const place = at(x + g / 2, y + g / 2, random.int(0, 3) * 90, g / 100);
  const shapes: readonly (() => Drawing)[] = [
    () => [circle(0, 0, 50, color), circle(0, 0, 22.7, otherInk(p, color))],
    () => path('M-50 -50h100a100 100 0 0 1 -100 100z', color),
    () => path('M-50 -50l100 100h-100z', color),
    () => path('M-50 -50h100v50h-100z', color),
    () => [path('M-50 0a50 50 0 0 1 100 0z', color), path('M-50 50a50 50 0 0 1 100 0z', otherInk(p, color))],
    () =>
      [100, 75, 50, 25].map((r, i) =>
        path(svg`M-50 -50h${r}a${r} ${r} 0 0 1 ${-r} ${r}z`, i % 2 === 0 ? color : p.ground),
      ),
    () => repeat(4, (i) => rect(-50, -50 + i * 25, 100, 12.5, color)),
  ];
  return group(shapes[random.int(0, g > 220 ? 6 : 7)]?.() ?? [], place);
}

function grid(p: Print): Drawing {
  const columns = p.random.int(3, 6);
  const g = 1000 / columns;
  return repeat(Math.ceil(p.height / g), (row) => repeat(columns, (column) => tile(p, column * g, row * g, g)));
}

/** Tiles of several sizes: squares, some of them divided into four once or twice. */
function quadtree(p: Print): Drawing {
  const split = (x: number, y: number, g: number, depth: number): Drawing => {
    if (depth === 0 || (depth < 3 && p.random.chance(0.36))) return tile(p, x, y, g);
    return repeat(4, (i) => split(x + (i % 2) * (g / 2), y + Math.floor(i / 2) * (g / 2), g / 2, depth - 1));
  };
  return repeat(Math.ceil(p.height / 500), (row) => [split(0, row * 500, 500, 2), split(500, row * 500, 500, 2)]);
}

/** A poster: a large disc, bars across it and small figures as counterweights. */
function poster({ random, height, inks, ink }: Print): Drawing {
  const angle = random.pick([-45, -30, -20, 20, 30, 45]);
  const { x: cx, y: cy } = random.point(320, 680, height * 0.32, height * 0.6);
  const r = random.between(220, 350);
  const [main, second, third] = random.shuffle(inks) as [Hex, Hex, Hex];
  const bars: Drawing[] = [];
  for (let i = 0; i < random.int(3, 6); i += 1) {
    const { x, y } = random.point(-300, 500, -280, 420);
    const length = random.between(320, 900);
    bars.push(rect(x, y, length, random.pick([14, 26, 54, 90]), random.pick([ink, second, third, ink])));
  }
  const sector = path('M0 0H150A150 150 0 0 1 0 150Z', second, {
    ...at(cx, cy, random.int(0, 3) * 90 + angle, r / 100),
    style: 'mix-blend-mode:multiply',
  });
  const k = random.between(70, 140);
  const sx = cx > 500 ? random.between(110, 260) : random.between(740, 890);
  const sy = height * (cy > height / 2 ? 0.17 : 0.83);
  return [
    circle(cx, cy, r, main),
    group(bars, at(cx - 250, cy - 60, angle)),
    sector,
    circle(sx, sy, k, third),
    circle(sx, sy, k * 0.45, ink),
    repeat(6, (i) => rect(60 + i * 34, height - 130, 14, 70, ink)),
    random.chance(0.5) ? rect(0, 0, 56, height, ink) : rect(0, height - 44, 1000, 44, ink),
  ];
}

/** Rows of arches and rainbows. */
function arches({ random, height, ink, inks: others, ground }: Print): Drawing {
  const columns = random.int(2, 4);
  const w = 1000 / columns;
  const rows = Math.max(2, Math.round(height / (w * 0.75)));
  const h = height / rows;
  const rise = Math.max(0, h - w / 2);
  return repeat(rows * columns, (i) => {
    const row = Math.floor(i / columns);
    const column = i % columns;
    const inks = random.shuffle([...others, ink]);
    const bands = random.int(3, 5);
    const arch = repeat(bands, (b) => {
      const r = (w / 2) * (1 - b / bands);
      const outline = svg`M${-r} 0v${-rise}a${r} ${r} 0 0 1 ${2 * r} 0v${rise}z`;
      return path(outline, b === bands - 1 ? ground : (inks[b % inks.length] ?? ink));
    });
    // Odd rows are shifted by half an arch; their last arch continues on the other side.
    const x = (column + (row % 2 === 0 ? 0.5 : 1)) * w;
    return (x === 1000 ? [0, 1000] : [x]).map((place) => group(arch, at(place, (row + 1) * h)));
  });
}

/** Concentric rings, cut into sectors that are rotated against each other. */
function rings(p: Print): Drawing {
  const { random, height } = p;
  const { x: cx, y: cy } = random.point(300, 700, height * 0.35, height * 0.65);
  const count = random.int(6, 10);
  const sector = (r: number, from: number, sweep: number, fill: Hex): Drawing => {
    const end = around(0, 0, r, (sweep * Math.PI) / 180);
    return path(svg`M0 0H${r}A${r} ${r} 0 0 1 ${end.x} ${end.y}Z`, fill, at(cx, cy, from));
  };
  const ring = (i: number): Drawing => {
    const r = 720 * (1 - i / count);
    const start = random.int(0, 7) * 45;
    const color = anyInk(p);
    return [
      circle(cx, cy, r, i % 2 === 0 ? p.ground : mix(p.ground, p.ink, 0.06)),
      sector(r, start, random.pick([90, 135, 180]), color),
      sector(r, start + 200, random.pick([45, 90]), otherInk(p, color)),
    ];
  };
  return [repeat(count, ring), circle(cx, cy, 720 / count / 1.6, p.ink)];
}

/** Stripes of several widths, and discs that change colour where they overlap. */
function stripes(p: Print): Drawing {
  const { random, height } = p;
  const upright = random.chance(0.5);
  const band = (from: number, size: number, color: Hex): Drawing =>
    upright ? rect(from, 0, size + 1, height, color) : rect(0, from, 1000, size + 1, color);
  const bands: Drawing[] = [];
  const inverse: Drawing[] = [];
  let from = 0;
  for (let i = 0; from < (upright ? 1000 : height); i += 1) {
    const size = random.pick([24, 36, 60, 96, 140]);
    const color = i % 2 === 0 ? p.ground : anyInk(p);
    const counter = i % 2 === 0 ? anyInk(p) : brightness(color) > 0.5 ? p.ink : p.ground;
    bands.push(band(from, size, color));
    inverse.push(band(from, size, counter));
    from += size;
  }
  const discs = repeat(random.int(2, 5), () => {
    const { x, y } = random.point(150, 850, height * 0.15, height * 0.85);
    const r = random.between(90, 300);
    return random.chance(0.7)
      ? circle(x, y, r, '#000')
      : path('M-100 0a100 100 0 0 1 200 0z', '#000', at(x, y, random.int(0, 3) * 90, r / 100));
  });
  return [bands, clipped('discs', textOf(discs), inverse)];
}

/** A row of instruments, animals and people made of half circles. */
function figures(p: Print): Drawing {
  const { random, height } = p;
  const count = p.theme.count ? Math.min(6, p.theme.count) : random.int(3, 5);
  const w = 1000 / count;
  const floor = rect(0, height * 0.8, 1000, height * 0.2, anyInk(p));
  const figure = (i: number): Drawing => {
    const [coat, side, skin, shadow, hat] = random.shuffle([...p.inks, p.ink]) as [Hex, Hex, Hex, Hex, Hex];
    const body = w * random.between(0.62, 0.84);
    const top = height * random.between(0.3, 0.5);
    const foot = ((height * 0.86 - top) / body) * 100;
    const head = random.between(26, 36);
    const parts = [
      path(svg`M-50 ${foot}V50a50 50 0 0 1 100 0V${foot}z`, coat),
      path(svg`M0 ${foot}V0a50 50 0 0 1 50 50V${foot}z`, side),
      circle(0, -head * 0.6, head, skin),
      path(svg`M0 ${-head * 1.6}a${head} ${head} 0 0 1 0 ${head * 2}z`, shadow),
      random.chance(0.5)
        ? path(svg`M${-head} ${-head * 1.1}a${head} ${head} 0 0 1 ${2 * head} 0z`, hat)
        : rect(-head * 0.7, -head * 2.3, head * 1.4, head * 1.1, hat),
      repeat(random.int(2, 4), (button) => circle(0, 70 + button * 30, 7, p.ground)),
      random.chance(0.5)
        ? stroke('M50 60a30 30 0 0 1 10 55', skin, 12)
        : stroke('M-50 60a30 30 0 0 0 -10 55', skin, 12),
    ];
    return group(parts, at(w * (i + 0.5), top, 0, body / 100));
  };
  return [floor, repeat(count, figure)];
}

/** Overlapping rows of half discs, like waves. */
function scales(p: Print): Drawing {
  const { random, height } = p;
  const r = random.between(70, 130);
  return repeat(Math.ceil((height + r * 1.2) / (r * 0.56)), (row) => {
    const start = row % 2 === 0 ? 0 : r;
    return repeat(Math.ceil((1000 + r * 2 - start) / (r * 2)), (column) => {
      const x = start + column * r * 2;
      const y = row * r * 0.56 + r * 0.8;
      const color = anyInk(p);
      return [circle(x, y, r, color), circle(x, y, r * 0.7, p.ground), circle(x, y, r * 0.42, otherInk(p, color))];
    });
  });
}

/** Geometric prints: tiles, posters, arches, rings, stripes and figures. */
export const bauhaus: Painter = (board) => {
  const p = print(board);
  const compose = choose(board.theme, board.random, {
    'market chess grid map tiles town sale quilt puzzle above': grid,
    'city puzzle library museum rooms atlas drill': quadtree,
    'poster tiger tigers fire opera rocket match plane': poster,
    'arch arches bridge rainbow station theatre door cathedral': arches,
    'radio record orbit clock wheel circle moon timetabled timetable': rings,
    'bus piano stripes zebra train flag tennis sun swimming pool': stripes,
    'band orchestra plumber portrait family people dancers choir guests sisters waiter': figures,
    'sea ocean wave rain fish river scales picnic': scales,
  });
  return [rect(0, 0, 1000, p.height, p.ground), compose(p)];
};

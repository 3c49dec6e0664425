import { type Hex } from '../color.js';
import { circle, ellipse, group, n, path, raised, rect, stroke, type Board, type Painter, type Point } from '../svg.js';
import { choose } from '../theme.js';

interface Paper extends Board {
  readonly ground: Hex;
  /** Four paper colours, all different from the ground. */
  readonly sheets: readonly Hex[];
}

const PAPERS: readonly { readonly words: string; readonly value: readonly Hex[] }[] = [
  { words: 'garden fern forest green cinema ivy', value: ['#1d3b2f', '#f2c14e', '#f78154', '#f6e7cb', '#5fa777'] },
  {
    words: 'letter dictionary pressed herbarium paper poppies',
    value: ['#f4e6d0', '#c8402f', '#1f5c4d', '#e9a03b', '#2c3d63'],
  },
  { words: 'night midnight moon asleep orchid violet', value: ['#27224b', '#f0a6ca', '#efc3e6', '#f7b32b', '#7bd1b3'] },
  {
    words: 'dahlia dahlias late autumn grandmother rose terracotta',
    value: ['#e9b8a0', '#7a1f2b', '#2f5d50', '#f7ead6', '#d9622b'],
  },
  { words: 'sea rain stems lagoon teal pond', value: ['#0e3b4c', '#ffcf99', '#ff7f50', '#9ad1c4', '#f5efe0'] },
  {
    words: 'lemon spring sun yellow kitchen breakfast summer',
    value: ['#f7d774', '#2d5b4a', '#ef6f4c', '#fff6df', '#8a3b5b'],
  },
  { words: 'winter snow frost cold white', value: ['#dfe7ea', '#2b4a63', '#7d9fb0', '#b83a4b', '#f8fbfa'] },
  { words: 'blush pink peony wedding tulip tulips', value: ['#f6cfd0', '#b3264a', '#38664f', '#fff1e6', '#e8843c'] },
];

function paper(board: Board): Paper {
  const [ground, ...sheets] = choose(board.theme, board.random, PAPERS) as [Hex, ...Hex[]];
  return { ...board, ground, sheets };
}

const leafAt = (x: number, y: number, angle: number, length: number, width: number, color: Hex): string =>
  path(
    `M0 0C${n(width)} ${n(-length * 0.25)} ${n(width)} ${n(-length * 0.7)} 0 ${n(-length)}C${n(-width)} ${n(-length * 0.7)} ${n(-width)} ${n(-length * 0.25)} 0 0Z`,
    color,
    { transform: `translate(${n(x)} ${n(y)}) rotate(${n(angle)})` },
  );

/** A lobed leaf, like that of a monstera or an oak. */
function lobed(x: number, y: number, angle: number, length: number, color: Hex, vein: Hex): string {
  let d = 'M0 0';
  const lobes = 5;
  for (let i = 0; i < lobes; i += 1) {
    const [from, to] = [-(length * (i + 0.1)) / lobes, -(length * (i + 0.95)) / lobes];
    const w = length * 0.42 * Math.sin((Math.PI * (i + 0.9)) / (lobes + 0.6));
    d += `C${n(w * 1.25)} ${n(from)} ${n(w * 1.2)} ${n(to)} ${n(w * 0.26)} ${n(to)}`;
  }
  d += `L0 ${n(-length)}`;
  for (let i = lobes - 1; i >= 0; i -= 1) {
    const [from, to] = [-(length * (i + 0.95)) / lobes, -(length * (i + 0.1)) / lobes];
    const w = length * 0.42 * Math.sin((Math.PI * (i + 0.9)) / (lobes + 0.6));
    d += `L${n(-w * 0.26)} ${n(from)}C${n(-w * 1.2)} ${n(from)} ${n(-w * 1.25)} ${n(to)} ${i === 0 ? '0 0' : `${n(-w * 0.2)} ${n(to)}`}`;
  }
  return group(path(`${d}Z`, color) + stroke(`M0 0V${n(-length * 0.9)}`, vein, length * 0.02), {
    transform: `translate(${n(x)} ${n(y)}) rotate(${n(angle)})`,
  });
}

/** One blossom: two or three rings of petals around an eye. */
function blossom(p: Paper, x: number, y: number, r: number, kind = p.random.int(0, 4)): string {
  const { random } = p;
  const sheets = random.shuffle(p.sheets) as [Hex, Hex, Hex, Hex];
  let out = '';
  const ring = (count: number, length: number, width: number, color: Hex, turn: number): void => {
    for (let k = 0; k < count; k += 1) out += leafAt(x, y, (360 / count) * k + turn, length, width, color);
  };
  if (kind === 0) {
    const petals = random.int(7, 12);
    ring(petals, r, r * (2.1 / petals + 0.14), sheets[0], 0);
    ring(petals, r * 0.62, r * 0.15, sheets[1], 180 / petals);
  } else if (kind === 1) {
    for (let k = 0; k < 4; k += 1) {
      const a = (k / 4) * Math.PI * 2 + 0.4;
      out += circle(
        x + Math.cos(a) * r * 0.46,
        y + Math.sin(a) * r * 0.46,
        r * 0.54,
        k % 2 === 0 ? sheets[0] : sheets[0],
      );
    }
    ring(12, r * 0.5, r * 0.06, sheets[1], 0);
  } else if (kind === 2) {
    ring(18, r, r * 0.11, sheets[0], 0);
    ring(14, r * 0.74, r * 0.11, sheets[1], 8);
    ring(10, r * 0.48, r * 0.11, sheets[2], 4);
  } else if (kind === 3) {
    for (let k = 0; k < 7; k += 1) {
      const a = (k / 7) * Math.PI * 2;
      out += circle(x + Math.cos(a) * r * 0.6, y + Math.sin(a) * r * 0.6, r * 0.36, sheets[0]);
    }
    out += circle(x, y, r * 0.56, sheets[1]);
    ring(9, r * 0.46, r * 0.08, sheets[2], 0);
  } else {
    return (
      raised(
        path(
          `M${n(x - r * 0.62)} ${n(y - r * 0.6)}C${n(x - r * 0.9)} ${n(y + r * 0.5)} ${n(x - r * 0.4)} ${n(y + r * 0.8)} ${n(x)} ${n(y + r * 0.8)}C${n(x + r * 0.4)} ${n(y + r * 0.8)} ${n(x + r * 0.9)} ${n(y + r * 0.5)} ${n(x + r * 0.62)} ${n(y - r * 0.6)}L${n(x + r * 0.3)} ${n(y - r * 0.1)}L${n(x)} ${n(y - r * 0.8)}L${n(x - r * 0.3)} ${n(y - r * 0.1)}Z`,
          sheets[0],
        ),
      ) +
      raised(
        path(
          `M${n(x)} ${n(y - r * 0.5)}C${n(x + r * 0.4)} ${n(y)} ${n(x + r * 0.34)} ${n(y + r * 0.6)} ${n(x)} ${n(y + r * 0.72)}C${n(x - r * 0.34)} ${n(y + r * 0.6)} ${n(x - r * 0.4)} ${n(y)} ${n(x)} ${n(y - r * 0.5)}Z`,
          sheets[1],
        ),
      )
    );
  }
  return raised(out) + raised(circle(x, y, r * 0.24, p.ground) + circle(x, y, r * 0.12, sheets[3]));
}

/** The kinds of blossom for this picture: those that the theme names, else one or two at random. */
function blossomKinds(p: Paper): readonly number[] {
  const named: Readonly<Record<string, number>> = {
    tulip: 4,
    tulips: 4,
    poppy: 1,
    poppies: 1,
    dahlia: 2,
    dahlias: 2,
    daisy: 0,
    daisies: 0,
    rose: 3,
    roses: 3,
    peony: 3,
    peonies: 3,
    chrysanthemum: 2,
  };
  const requested = p.theme.words.map((word) => named[word]).filter((kind) => kind !== undefined);
  return requested.length > 0 ? requested : p.random.shuffle([0, 1, 2, 3, 4]).slice(0, p.random.int(1, 2));
}

function stems(p: Paper): string {
  const { random, height } = p;
  const count = p.theme.count ?? random.int(3, 7);
  const heads = blossomKinds(p);
  let out = '';
  for (let i = 0; i < count; i += 1) {
    const x = 1000 * ((i + 0.5) / count) + random.between(-60, 60);
    const top = height * random.between(0.14, 0.46);
    const bend = random.between(-110, 110);
    const color = random.pick(p.sheets.slice(1));
    const foot = height + 10;
    let leaves = stroke(
      `M${n(x)} ${n(foot)}Q${n(x + bend)} ${n(height * 0.6)} ${n(x + bend * 0.6)} ${n(top)}`,
      color,
      8,
      { 'stroke-linecap': 'round' },
    );
    const pairs = random.int(3, 8);
    const shape = random.pick([0.16, 0.3, 0.42]);
    const splay = random.between(30, 66);
    for (let j = 0; j < pairs; j += 1) {
      const t = 0.12 + (0.72 * j) / pairs;
      const q = 1 - t;
      const at = {
        x: q * q * x + 2 * q * t * (x + bend) + t * t * (x + bend * 0.6),
        y: q * q * foot + 2 * q * t * height * 0.6 + t * t * top,
      };
      const length = (170 - 80 * t) * random.between(0.8, 1.3) * Math.min(1.25, 5 / count + 0.25);
      leaves +=
        leafAt(at.x, at.y, splay, length, length * shape, color) +
        leafAt(at.x, at.y, -splay, length, length * shape, color);
    }
    out +=
      raised(leaves) +
      blossom(p, x + bend * 0.6, top, random.between(80, 150) * Math.min(1.3, 4 / count + 0.3), random.pick(heads));
  }
  for (let i = 0; i < 3; i += 1)
    out += raised(
      leafAt(
        random.next() * 1000,
        height + 20,
        random.between(-30, 30),
        height * random.between(0.26, 0.42),
        70,
        random.pick(p.sheets),
      ),
    );
  return out;
}

/** One flower from above, cropped by the edges. */
function bloom(p: Paper): string {
  const { random, height } = p;
  const [cx, cy] = [random.between(380, 620), height * random.between(0.4, 0.6)];
  const rings = random.int(4, 7);
  let out = '';
  for (let i = 0; i < random.int(5, 9); i += 1) {
    const color = random.pick(p.sheets);
    out += raised(lobed(cx, cy, random.next() * 360, random.between(560, 760), color, p.ground));
  }
  const order = random.shuffle(p.sheets);
  for (let i = 0; i < rings; i += 1) {
    const r = 430 * (1 - i / rings) + 40;
    const petals = random.pick([8, 10, 12, 16, 20]);
    const width = r * (1.9 / petals + random.between(0.04, 0.16));
    let ring = '';
    for (let k = 0; k < petals; k += 1)
      ring += leafAt(cx, cy, (360 / petals) * (k + (i % 2) / 2), r, width, order[i % order.length] as Hex);
    out += raised(ring);
  }
  return out + raised(circle(cx, cy, 62, p.ground)) + raised(circle(cx, cy, 34, order[0] as Hex) + dots(p, cx, cy, 50));
}

function dots(p: Paper, x: number, y: number, r: number): string {
  let out = '';
  for (let k = 0; k < 12; k += 1)
    out += circle(x + Math.cos((k / 6) * Math.PI) * r, y + Math.sin((k / 6) * Math.PI) * r, 5, p.sheets[1] as Hex);
  return out;
}

function wreath(p: Paper): string {
  const { random, height } = p;
  const [cx, cy, r] = [500, height / 2, Math.min(1000, height) * random.between(0.28, 0.34)];
  const heads = blossomKinds(p);
  let out = '';
  const sprigs = random.int(26, 38);
  for (let i = 0; i < sprigs; i += 1) {
    const a = (i / sprigs) * 360;
    const [x, y] = [cx + Math.cos((a * Math.PI) / 180) * r, cy + Math.sin((a * Math.PI) / 180) * r];
    const color = random.pick(p.sheets.slice(1));
    const length = random.between(110, 200);
    out += raised(
      leafAt(x, y, a + 90 + random.between(25, 75), length, length * 0.26, color) +
        leafAt(x, y, a + 90 + random.between(100, 165), length * 0.85, length * 0.22, color),
    );
  }
  const flowers = p.theme.count ?? random.int(5, 9);
  const start = random.next() * 6;
  for (let i = 0; i < flowers; i += 1) {
    const a = start + (i / flowers) * Math.PI * 2;
    out += blossom(p, cx + Math.cos(a) * r, cy + Math.sin(a) * r, random.between(64, 128), random.pick(heads));
  }
  if (random.chance(0.6)) out += raised(moth(p, cx, cy, r * 0.42));
  return out;
}

function moth(p: Paper, x: number, y: number, size: number): string {
  const [a, b, c] = p.random.shuffle(p.sheets) as [Hex, Hex, Hex];
  const wing = (side: number): string =>
    path(
      `M0 0C${n(side * size * 0.4)} ${n(-size)} ${n(side * size * 1.3)} ${n(-size * 0.9)} ${n(side * size)} ${n(-size * 0.1)}C${n(side * size * 0.9)} ${n(size * 0.1)} ${n(side * size * 0.4)} ${n(size * 0.1)} 0 0Z`,
      a,
    ) +
    path(
      `M0 0C${n(side * size * 0.9)} ${n(size * 0.05)} ${n(side * size * 0.9)} ${n(size * 0.8)} ${n(side * size * 0.35)} ${n(size * 0.75)}C${n(side * size * 0.1)} ${n(size * 0.5)} 0 ${n(size * 0.2)} 0 0Z`,
      b,
    ) +
    circle(side * size * 0.7, -size * 0.42, size * 0.14, c);
  return group(wing(1) + wing(-1) + ellipse(0, size * 0.08, size * 0.07, size * 0.42, c), {
    transform: `translate(${n(x)} ${n(y)})`,
  });
}

function vase(p: Paper): string {
  const { random, height } = p;
  const heads = blossomKinds(p);
  const table = height * random.between(0.74, 0.82);
  const [cloth, pot, band] = random.shuffle(p.sheets) as [Hex, Hex, Hex];
  const cx = random.between(400, 600);
  const [w, tall] = [random.between(110, 170), height * random.between(0.26, 0.34)];
  const mouth = table - tall + height * 0.1;
  let out = rect(0, table, 1000, height - table, cloth);
  const count = p.theme.count ?? random.int(5, 8);
  let flowers = '';
  for (let i = 0; i < count; i += 1) {
    const a = -90 + (i - (count - 1) / 2) * (118 / count) + random.between(-6, 6);
    const reach = height * random.between(0.26, 0.46);
    const [x, y] = [cx + Math.cos((a * Math.PI) / 180) * reach * 1.1, mouth + Math.sin((a * Math.PI) / 180) * reach];
    const color = random.pick(p.sheets.filter((sheet) => sheet !== cloth));
    let sprig = stroke(
      `M${n(cx)} ${n(mouth + 20)}Q${n(cx + (x - cx) * 0.3)} ${n((mouth + y) / 2 - 20)} ${n(x)} ${n(y)}`,
      color,
      8,
    );
    for (let k = 1; k < 4; k += 1) {
      const t = k / 4;
      sprig += leafAt(
        cx + (x - cx) * t * 0.86,
        mouth + (y - mouth) * t,
        a + 90 + (k % 2 === 0 ? 48 : -48),
        110,
        34,
        color,
      );
    }
    out += raised(sprig);
    flowers += blossom(p, x, y, random.between(80, 132), random.pick(heads));
  }
  out += flowers;
  const shape = random.int(0, 2);
  const body =
    shape === 0
      ? `M${n(cx - w * 0.5)} ${n(mouth)}C${n(cx - w * 0.4)} ${n(mouth + tall * 0.2)} ${n(cx - w * 1.4)} ${n(mouth + tall * 0.4)} ${n(cx - w * 0.5)} ${n(mouth + tall)}H${n(cx + w * 0.5)}C${n(cx + w * 1.4)} ${n(mouth + tall * 0.4)} ${n(cx + w * 0.4)} ${n(mouth + tall * 0.2)} ${n(cx + w * 0.5)} ${n(mouth)}Z`
      : shape === 1
        ? `M${n(cx - w)} ${n(mouth)}H${n(cx + w)}L${n(cx + w * 0.6)} ${n(mouth + tall)}H${n(cx - w * 0.6)}Z`
        : `M${n(cx - w * 0.4)} ${n(mouth)}V${n(mouth + tall * 0.3)}A${n(w)} ${n(tall * 0.4)} 0 0 0 ${n(cx - w * 0.5)} ${n(mouth + tall)}H${n(cx + w * 0.5)}A${n(w)} ${n(tall * 0.4)} 0 0 0 ${n(cx + w * 0.4)} ${n(mouth + tall * 0.3)}V${n(mouth)}Z`;
  out += `<clipPath id="pot"><path d="${body}"/></clipPath>` + raised(path(body, pot));
  let bands = '';
  for (let k = 0; k < 3; k += 1) bands += rect(cx - 300, mouth + tall * (0.3 + k * 0.2), 600, tall * 0.08, band);
  return out + group(bands, { 'clip-path': 'url(#pot)' });
}

/** Branches across the sheet, with leaves, berries and a bird. */
function branch(p: Paper): string {
  const { random, height } = p;
  let out = '';
  const heads = blossomKinds(p);
  const lines = random.int(2, 4);
  const flip = random.chance(0.5);
  for (let i = 0; i < lines; i += 1) {
    const color = random.pick(p.sheets);
    const y0 = height * (0.1 + (0.95 * (i + 0.5)) / lines);
    const [from, over, to]: [Point, Point, Point] = [
      { x: -20, y: y0 + 120 },
      { x: random.between(350, 650), y: y0 - random.between(60, 240) },
      { x: 1020, y: y0 - random.between(160, 330) },
    ];
    let twig = stroke(`M${n(from.x)} ${n(from.y)}Q${n(over.x)} ${n(over.y)} ${n(to.x)} ${n(to.y)}`, color, 12);
    let berries = '';
    let blossoms = '';
    const count = random.int(8, 14);
    const big = random.chance(0.4);
    for (let k = 0; k < count; k += 1) {
      const t = (k + 0.5) / count;
      const q = 1 - t;
      const at = {
        x: q * q * from.x + 2 * q * t * over.x + t * t * to.x,
        y: q * q * from.y + 2 * q * t * over.y + t * t * to.y,
      };
      const side = k % 2 === 0 ? 1 : -1;
      const length = random.between(110, 190) * (big ? 1.25 : 1);
      twig += big
        ? lobed(at.x, at.y, 60 + side * 58, length, color, p.ground)
        : leafAt(at.x, at.y, 60 + side * 52, length, length * 0.24, color);
      if (random.chance(0.4))
        berries += circle(
          at.x - side * 26,
          at.y + side * 40,
          random.between(14, 26),
          p.sheets[(i + 1) % p.sheets.length] as Hex,
        );
      if (random.chance(0.16)) blossoms += blossom(p, at.x, at.y, random.between(60, 100), random.pick(heads));
    }
    out += raised(twig) + raised(berries) + blossoms;
  }
  if (random.chance(0.6)) out += bird(p, random.between(320, 680), height * random.between(0.3, 0.6));
  return flip ? group(out, { transform: 'translate(1000 0) scale(-1 1)' }) : out;
}

function bird(p: Paper, x: number, y: number): string {
  const [body, wing, beak] = p.random.shuffle(p.sheets) as [Hex, Hex, Hex];
  return group(
    raised(path('M-190 70L-60 -10C-40 -90 70 -120 110 -60C150 40 20 120 -80 66Z', body)) +
      raised(path('M-70 10C0 -30 70 0 40 62C0 90 -90 80 -150 100Z', wing)) +
      raised(path('M112 -66L160 -50L116 -36Z', beak)) +
      circle(82, -62, 9, p.ground),
    { transform: `translate(${n(x)} ${n(y)}) scale(1.15)` },
  );
}

/** A herbarium sheet with one specimen of each plant. */
function herbarium(p: Paper): string {
  const { random, height } = p;
  const columns = random.int(2, 3);
  const rows = Math.max(2, Math.round((columns * height) / 1000));
  const [w, h] = [1000 / columns, height / rows];
  let out = '';
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const [x, y] = [column * w, row * h];
      const sheet = (row + column) % 2 === 0 ? p.ground : random.pick(p.sheets);
      const color = random.pick(p.sheets.filter((other) => other !== sheet));
      const cell: Paper = {
        ...p,
        ground: sheet,
        sheets: [...p.sheets.filter((other) => other !== sheet), p.ground].slice(0, 4),
      };
      out += rect(x, y, w, h, sheet);
      const [cx, foot] = [x + w / 2, y + h * 0.9];
      const kind = random.int(0, 3);
      if (kind === 0) {
        out +=
          raised(
            stroke(`M${n(cx)} ${n(foot)}V${n(y + h * 0.36)}`, color, 8) +
              leafAt(cx, foot - h * 0.12, 44, h * 0.26, h * 0.07, color) +
              leafAt(cx, foot - h * 0.2, -44, h * 0.26, h * 0.07, color),
          ) + blossom(cell, cx, y + h * 0.34, h * 0.22);
      } else if (kind === 1) {
        out += raised(lobed(cx, foot, random.between(-14, 14), h * 0.78, color, sheet));
      } else if (kind === 2) {
        let fern = stroke(`M${n(cx)} ${n(foot)}V${n(y + h * 0.12)}`, color, 7);
        for (let k = 0; k < 9; k += 1)
          fern +=
            leafAt(cx, foot - h * 0.07 * k - 12, 62, h * (0.26 - k * 0.02), h * 0.035, color) +
            leafAt(cx, foot - h * 0.07 * k - 12, -62, h * (0.26 - k * 0.02), h * 0.035, color);
        out += raised(fern);
      } else {
        const cap = random.pick(cell.sheets);
        out +=
          raised(
            path(
              `M${n(cx - h * 0.06)} ${n(foot)}Q${n(cx - h * 0.02)} ${n(y + h * 0.6)} ${n(cx - h * 0.06)} ${n(y + h * 0.45)}H${n(cx + h * 0.06)}Q${n(cx + h * 0.02)} ${n(y + h * 0.6)} ${n(cx + h * 0.07)} ${n(foot)}Z`,
              color,
            ),
          ) +
          raised(
            path(
              `M${n(cx - h * 0.3)} ${n(y + h * 0.48)}C${n(cx - h * 0.26)} ${n(y + h * 0.04)} ${n(cx + h * 0.26)} ${n(y + h * 0.04)} ${n(cx + h * 0.3)} ${n(y + h * 0.48)}Z`,
              cap,
            ) +
              circle(cx - h * 0.1, y + h * 0.34, h * 0.035, sheet) +
              circle(cx + h * 0.09, y + h * 0.28, h * 0.045, sheet) +
              circle(cx + h * 0.16, y + h * 0.4, h * 0.03, sheet),
          );
      }
    }
  }
  return out;
}

/** Cut-paper plants: beds, single blooms, wreaths, vases, branches, herbarium sheets. */
export const botanic: Painter = (board) => {
  const p = paper(board);
  const compose = choose(board.theme, board.random, [
    { words: 'stem stems garden bed poppies cinema meadow tulips school row hedge field', value: stems },
    { words: 'dahlia dahlias bloom sunflower mandala eye one single chrysanthemum', value: bloom },
    { words: 'wreath crown circle moth winter ring solstice wedding round', value: wreath },
    { words: 'vase bouquet kitchen table letter jug grandmother birthday ordered breakfast window', value: vase },
    { words: 'branch bird tree leaves olive lemon blossom robin wren nest orchard asleep greenhouse', value: branch },
    {
      words: 'pressed herbarium dictionary specimens page mushroom mushrooms ferns collection atlas seed',
      value: herbarium,
    },
  ]);
  return rect(0, 0, 1000, p.height, p.ground) + compose(p);
};

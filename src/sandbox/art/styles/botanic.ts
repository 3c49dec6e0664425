import { type Hex } from '../color.js';
import { around, at, circle, clipped, ellipse, group, path, raised, rect, repeat, ROUND_ENDS, stroke } from '../svg.js';
import { svg, type Board, type Drawing, type Painter, type Point } from '../svg.js';
import { choose } from '../theme.js';

const PAPERS: Readonly<Record<string, readonly [Hex, ...Hex[]]>> = {
  'garden fern forest green cinema ivy': ['#1d3b2f', '#f2c14e', '#f78154', '#f6e7cb', '#5fa777'],
  'letter dictionary pressed herbarium paper poppies': ['#f4e6d0', '#c8402f', '#1f5c4d', '#e9a03b', '#2c3d63'],
  'night midnight moon asleep orchid violet': ['#27224b', '#f0a6ca', '#efc3e6', '#f7b32b', '#7bd1b3'],
  'dahlia dahlias late autumn grandmother rose terracotta': ['#e9b8a0', '#7a1f2b', '#2f5d50', '#f7ead6', '#d9622b'],
  'sea rain stems lagoon teal pond': ['#0e3b4c', '#ffcf99', '#ff7f50', '#9ad1c4', '#f5efe0'],
  'lemon spring sun yellow kitchen breakfast summer': ['#f7d774', '#2d5b4a', '#ef6f4c', '#fff6df', '#8a3b5b'],
  'winter snow frost cold white': ['#dfe7ea', '#2b4a63', '#7d9fb0', '#b83a4b', '#f8fbfa'],
  'blush pink peony wedding tulip tulips': ['#f6cfd0', '#b3264a', '#38664f', '#fff1e6', '#e8843c'],
};

type Paper = ReturnType<typeof paper>;

/** The ground of a picture, and four sheets of other colours. */
function paper(board: Board) {
  const [ground, ...sheets] = choose(board.theme, board.random, PAPERS);
  return { ...board, ground, sheets };
}

function leafAt(x: number, y: number, degrees: number, length: number, width: number, color: Hex): Drawing {
  const up = svg`M0 0C${width} ${-length * 0.25} ${width} ${-length * 0.7} 0 ${-length}`;
  const down = svg`C${-width} ${-length * 0.7} ${-width} ${-length * 0.25} 0 0Z`;
  return path(up + down, color, at(x, y, degrees));
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** The outline of a lobed leaf, like that of a monstera or an oak, 100 units long. */
const LOBED = ((): string => {
  const lobe = (i: number): readonly [width: number, low: number, high: number] => [
    42 * Math.sin((Math.PI * (i + 0.9)) / 5.6),
    -20 * (i + 0.1),
    -20 * (i + 0.95),
  ];
  const right = repeat(5, (i) => {
    const [w, low, high] = lobe(i);
    return svg`C${w * 1.25} ${low} ${w * 1.2} ${high} ${w * 0.26} ${high}`;
  });
  const left = repeat(5, (i) => {
    const [w, low, high] = lobe(4 - i);
    return svg`L${-w * 0.26} ${high}C${-w * 1.2} ${high} ${-w * 1.25} ${low} ${-w * 0.2} ${low}`;
  });
  return svg`M0 0${right}L0 -100${left}Z`;
})();

const lobed = (x: number, y: number, degrees: number, length: number, color: Hex, vein: Hex): Drawing =>
  group([path(LOBED, color), stroke('M0 0V-90', vein, 2)], at(x, y, degrees, length / 100));

/** Drawings at equal distances around the origin; `start` is in radians. */
const ringOf = (count: number, radius: number, start: number, draw: (x: number, y: number) => Drawing): Drawing =>
  repeat(count, (i) => {
    const { x, y } = around(0, 0, radius, start + (i / count) * Math.PI * 2);
    return draw(x, y);
  });

/** Leaves from the origin outwards. */
const petals = (count: number, length: number, width: number, color: Hex, turn = 0): Drawing =>
  repeat(count, (i) => leafAt(0, 0, (360 / count) * i + turn, length, width, color));

/** The outer and the inner petals of a tulip. */
const TULIP = [
  'M-62 -60C-90 50 -40 80 0 80C40 80 90 50 62 -60L30 -10L0 -80L-30 -10Z',
  'M0 -50C40 0 34 60 0 72C-34 60 -40 0 0 -50Z',
];

/** One blossom: two or three rings of petals around an eye. */
function blossom(p: Paper, x: number, y: number, r: number, kind = p.random.int(0, 4)): Drawing {
  const sheets = p.random.shuffle(p.sheets) as [Hex, Hex, Hex, Hex];
  const [outer, inner, third, eye] = sheets;
  const paste = (piece: Drawing): Drawing => raised(group(piece, at(x, y, 0, r / 100)));
  if (kind === 4) return TULIP.map((outline, i) => paste(path(outline, sheets[i] ?? inner)));
  const count = kind === 0 ? p.random.int(7, 12) : 0;
  const rings = [
    [petals(count, 100, 210 / count + 14, outer), petals(count, 62, 15, inner, 180 / count)],
    [ringOf(4, 46, 0.4, (cx, cy) => circle(cx, cy, 54, outer)), petals(12, 50, 6, inner)],
    [petals(18, 100, 11, outer), petals(14, 74, 11, inner, 8), petals(10, 48, 11, third, 4)],
    [ringOf(7, 60, 0, (cx, cy) => circle(cx, cy, 36, outer)), circle(0, 0, 56, inner), petals(9, 46, 8, third)],
  ];
  return [paste(rings[kind] ?? []), paste([circle(0, 0, 24, p.ground), circle(0, 0, 12, eye)])];
}

/** Words of a prompt that select the kinds of blossom. */
const BLOSSOM_WORDS = [
  'daisy daisies',
  'poppy poppies',
  'dahlia dahlias chrysanthemum',
  'rose roses peony peonies',
  'tulip tulips',
].map((words) => words.split(' '));

/** The kinds of blossom for this picture: those that the theme names, else one or two at random. */
function blossomKinds(p: Paper): readonly number[] {
  const named = p.theme.words.map((word) => BLOSSOM_WORDS.findIndex((words) => words.includes(word)));
  const requested = named.filter((kind) => kind >= 0);
  return requested.length > 0 ? requested : p.random.shuffle([0, 1, 2, 3, 4]).slice(0, p.random.int(1, 2));
}

/** The point of a quadratic curve at `t`, from 0 to 1. */
function onCurve(from: Point, over: Point, to: Point, t: number): Point {
  const a = (1 - t) ** 2;
  const b = 2 * (1 - t) * t;
  const c = t * t;
  return { x: a * from.x + b * over.x + c * to.x, y: a * from.y + b * over.y + c * to.y };
}

const curve = (from: Point, over: Point, to: Point): string =>
  svg`M${from.x} ${from.y}Q${over.x} ${over.y} ${to.x} ${to.y}`;

function stems(p: Paper): Drawing {
  const { random, height } = p;
  const count = p.theme.count ?? random.int(3, 7);
  const heads = blossomKinds(p);
  const stem = (i: number): Drawing => {
    const x = 1000 * ((i + 0.5) / count) + random.between(-60, 60);
    const top = height * random.between(0.14, 0.46);
    const bend = random.between(-110, 110);
    const color = random.pick(p.sheets.slice(1));
    const line = [
      { x, y: height + 10 },
      { x: x + bend, y: height * 0.6 },
      { x: x + bend * 0.6, y: top },
    ] as const;
    const pairs = random.int(3, 8);
    const shape = random.pick([0.16, 0.3, 0.42]);
    const splay = random.between(30, 66);
    const leaves = repeat(pairs, (j) => {
      const t = 0.12 + (0.72 * j) / pairs;
      const base = onCurve(...line, t);
      const length = (170 - 80 * t) * random.between(0.8, 1.3) * Math.min(1.25, 5 / count + 0.25);
      return [splay, -splay].map((degrees) => leafAt(base.x, base.y, degrees, length, length * shape, color));
    });
    const r = random.between(80, 150) * Math.min(1.3, 4 / count + 0.3);
    return [
      raised([stroke(curve(...line), color, 8, ROUND_ENDS), leaves]),
      blossom(p, x + bend * 0.6, top, r, random.pick(heads)),
    ];
  };
  const blade = (): Drawing => {
    const x = random.next() * 1000;
    const degrees = random.between(-30, 30);
    const length = height * random.between(0.26, 0.42);
    return raised(leafAt(x, height + 20, degrees, length, 70, random.pick(p.sheets)));
  };
  return [repeat(count, stem), repeat(3, blade)];
}

/** One flower from above, cropped by the edges. */
function bloom({ random, height, sheets, ground }: Paper): Drawing {
  const { x: cx, y: cy } = random.point(380, 620, height * 0.4, height * 0.6);
  const place = at(cx, cy);
  const rings = random.int(4, 7);
  const leaves: Drawing[] = [];
  for (let i = 0; i < random.int(5, 9); i += 1) {
    const color = random.pick(sheets);
    leaves.push(raised(lobed(cx, cy, random.next() * 360, random.between(560, 760), color, ground)));
  }
  const order = random.shuffle(sheets) as [Hex, ...Hex[]];
  const ring = (i: number): Drawing => {
    const r = 430 * (1 - i / rings) + 40;
    const count = random.pick([8, 10, 12, 16, 20]);
    const width = r * (1.9 / count + random.between(0.04, 0.16));
    const turn = (180 / count) * (i % 2);
    return raised(group(petals(count, r, width, order[i % order.length] ?? order[0], turn), place));
  };
  const seeds = ringOf(12, 50, 0, (x, y) => circle(x, y, 5, sheets[1] ?? ground));
  return [
    leaves,
    repeat(rings, ring),
    raised(circle(cx, cy, 62, ground)),
    raised(group([circle(0, 0, 34, order[0]), seeds], place)),
  ];
}

function wreath(p: Paper): Drawing {
  const { random, height } = p;
  const cx = 500;
  const cy = height / 2;
  const r = Math.min(1000, height) * random.between(0.28, 0.34);
  const heads = blossomKinds(p);
  const count = random.int(26, 38);
  const sprigs = repeat(count, (i) => {
    const degrees = (i / count) * 360;
    const { x, y } = around(cx, cy, r, radians(degrees));
    const color = random.pick(p.sheets.slice(1));
    const length = random.between(110, 200);
    return raised([
      leafAt(x, y, degrees + 90 + random.between(25, 75), length, length * 0.26, color),
      leafAt(x, y, degrees + 90 + random.between(100, 165), length * 0.85, length * 0.22, color),
    ]);
  });
  const flowers = p.theme.count ?? random.int(5, 9);
  const start = random.next() * 6;
  return [
    sprigs,
    ringOf(flowers, r, start, (x, y) => blossom(p, cx + x, cy + y, random.between(64, 128), random.pick(heads))),
    random.chance(0.6) ? raised(moth(p, cx, cy, r * 0.42)) : [],
  ];
}

function moth(p: Paper, x: number, y: number, size: number): Drawing {
  const [a, b, c] = p.random.shuffle(p.sheets) as [Hex, Hex, Hex];
  const wings = [
    path('M0 0C40 -100 130 -90 100 -10C90 10 40 10 0 0Z', a),
    path('M0 0C90 5 90 80 35 75C10 50 0 20 0 0Z', b),
    circle(70, -42, 14, c),
  ];
  const body = ellipse(0, 8, 7, 42, c);
  return group([wings, group(wings, at(0, 0, 0, -1, 1)), body], at(x, y, 0, size / 100));
}

/** The outlines of vases, 100 units high; the mouth is at the origin. */
const VASES = [
  'M-50 0C-40 20 -140 40 -50 100H50C140 40 40 20 50 0Z',
  'M-100 0H100L60 100H-60Z',
  'M-40 0V30A100 40 0 0 0 -50 100H50A100 40 0 0 0 40 30V0Z',
];

function vase(p: Paper): Drawing {
  const { random, height } = p;
  const heads = blossomKinds(p);
  const table = height * random.between(0.74, 0.82);
  const [cloth, pot, band] = random.shuffle(p.sheets) as [Hex, Hex, Hex];
  const cx = random.between(400, 600);
  const w = random.between(110, 170);
  const tall = height * random.between(0.26, 0.34);
  const mouth = table - tall + height * 0.1;
  const count = p.theme.count ?? random.int(5, 8);
  const flowers: Drawing[] = [];
  const sprigs = repeat(count, (i) => {
    const degrees = -90 + (i - (count - 1) / 2) * (118 / count) + random.between(-6, 6);
    const reach = height * random.between(0.26, 0.46);
    const x = Math.cos(radians(degrees)) * reach * 1.1;
    const y = Math.sin(radians(degrees)) * reach;
    const color = random.pick(p.sheets.filter((sheet) => sheet !== cloth));
    const leaves = [1, 2, 3].map((k) => {
      const side = k % 2 === 0 ? 48 : -48;
      return leafAt((x * 0.86 * k) / 4, (y * k) / 4, degrees + 90 + side, 110, 34, color);
    });
    const stem = stroke(svg`M0 20Q${x * 0.3} ${y / 2 - 20} ${x} ${y}`, color, 8);
    flowers.push(blossom(p, cx + x, mouth + y, random.between(80, 132), random.pick(heads)));
    return raised(group([stem, leaves], at(cx, mouth)));
  });
  const outline = random.pick(VASES);
  const place = at(cx, mouth, 0, w / 100, tall / 100);
  const bands = repeat(3, (i) => rect(-200, 30 + i * 20, 400, 8, band));
  return [
    rect(0, table, 1000, height - table, cloth),
    sprigs,
    flowers,
    raised(group(path(outline, pot), place)),
    group(clipped('pot', path(outline, pot), bands), place),
  ];
}

/** Branches across the sheet, with leaves, berries and a bird. */
function branch(p: Paper): Drawing {
  const { random, height } = p;
  const heads = blossomKinds(p);
  const lines = random.int(2, 4);
  const flip = random.chance(0.5);
  const twigs = repeat(lines, (i) => {
    const color = random.pick(p.sheets);
    const y0 = height * (0.1 + (0.95 * (i + 0.5)) / lines);
    const line = [
      { x: -20, y: y0 + 120 },
      { x: random.between(350, 650), y: y0 - random.between(60, 240) },
      { x: 1020, y: y0 - random.between(160, 330) },
    ] as const;
    const berries: Drawing[] = [];
    const blossoms: Drawing[] = [];
    const count = random.int(8, 14);
    const big = random.chance(0.4);
    const leaves = repeat(count, (k) => {
      const { x, y } = onCurve(...line, (k + 0.5) / count);
      const side = k % 2 === 0 ? 1 : -1;
      const length = random.between(110, 190) * (big ? 1.25 : 1);
      if (random.chance(0.4)) {
        const berry = p.sheets[(i + 1) % p.sheets.length] ?? color;
        berries.push(circle(x - side * 26, y + side * 40, random.between(14, 26), berry));
      }
      if (random.chance(0.16)) blossoms.push(blossom(p, x, y, random.between(60, 100), random.pick(heads)));
      return big
        ? lobed(x, y, 60 + side * 58, length, color, p.ground)
        : leafAt(x, y, 60 + side * 52, length, length * 0.24, color);
    });
    return [raised([stroke(curve(...line), color, 12), leaves]), raised(berries), blossoms];
  });
  const guest = random.chance(0.6) ? bird(p, random.between(320, 680), height * random.between(0.3, 0.6)) : [];
  return group([twigs, guest], flip ? at(1000, 0, 0, -1, 1) : {});
}

function bird(p: Paper, x: number, y: number): Drawing {
  const [body, wing, beak] = p.random.shuffle(p.sheets) as [Hex, Hex, Hex];
  const pieces = [
    raised(path('M-190 70L-60 -10C-40 -90 70 -120 110 -60C150 40 20 120 -80 66Z', body)),
    raised(path('M-70 10C0 -30 70 0 40 62C0 90 -90 80 -150 100Z', wing)),
    raised(path('M112 -66L160 -50L116 -36Z', beak)),
    circle(82, -62, 9, p.ground),
  ];
  return group(pieces, at(x, y, 0, 1.15));
}

/** A herbarium sheet with one specimen of each plant. */
function herbarium(p: Paper): Drawing {
  const { random, height } = p;
  const columns = random.int(2, 3);
  const rows = Math.max(2, Math.round((columns * height) / 1000));
  const w = 1000 / columns;
  const h = height / rows;
  return repeat(rows * columns, (i) => {
    const row = Math.floor(i / columns);
    const column = i % columns;
    const ground = (row + column) % 2 === 0 ? p.ground : random.pick(p.sheets);
    const others = p.sheets.filter((sheet) => sheet !== ground);
    const cell: Paper = { ...p, ground, sheets: [...others, p.ground].slice(0, 4) };
    const x = column * w;
    const y = row * h;
    return [rect(x, y, w, h, ground), specimen(cell, random.pick(others), x + w / 2, y + h * 0.9, h)];
  });
}

/** A flower, a lobed leaf, a fern or a mushroom with its foot at (x, y), in a cell that is `h` units high. */
function specimen(p: Paper, color: Hex, x: number, y: number, h: number): Drawing {
  const { random } = p;
  const paste = (piece: Drawing): Drawing => raised(group(piece, at(x, y, 0, h / 100)));
  switch (random.int(0, 3)) {
    case 0:
      return [
        paste([stroke('M0 0V-54', color, 2), leafAt(0, -12, 44, 26, 7, color), leafAt(0, -20, -44, 26, 7, color)]),
        blossom(p, x, y - h * 0.56, h * 0.22),
      ];
    case 1:
      return raised(lobed(x, y, random.between(-14, 14), h * 0.78, color, p.ground));
    case 2: {
      const frond = (i: number): Drawing =>
        [62, -62].map((degrees) => leafAt(0, -3 - 7 * i, degrees, 26 - 2 * i, 3.5, color));
      return paste([stroke('M0 0V-78', color, 1.8), repeat(9, frond)]);
    }
    default:
      return [
        paste(path('M-6 0Q-2 -30 -6 -45H6Q2 -30 7 0Z', color)),
        paste([
          path('M-30 -42C-26 -86 26 -86 30 -42Z', random.pick(p.sheets)),
          circle(-10, -56, 3.5, p.ground),
          circle(9, -62, 4.5, p.ground),
          circle(16, -50, 3, p.ground),
        ]),
      ];
  }
}

/** Cut-paper plants: beds, single blooms, wreaths, vases, branches, herbarium sheets. */
export const botanic: Painter = (board) => {
  const p = paper(board);
  const compose = choose(board.theme, board.random, {
    'stem stems garden bed poppies cinema meadow tulips school row hedge field': stems,
    'dahlia dahlias bloom sunflower mandala eye one single chrysanthemum': bloom,
    'wreath crown circle moth winter ring solstice wedding round': wreath,
    'vase bouquet kitchen table letter jug grandmother birthday ordered breakfast window': vase,
    'branch bird tree leaves olive lemon blossom robin wren nest orchard asleep greenhouse': branch,
    'pressed herbarium dictionary specimens page mushroom mushrooms ferns collection atlas seed': herbarium,
  });
  return [rect(0, 0, 1000, p.height, p.ground), compose(p)];
};

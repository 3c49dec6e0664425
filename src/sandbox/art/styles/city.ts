import { darken, lighten, mix, type Hex } from '../color.js';
import { at, blur, circle, clipped, ellipse, glow, group, linear, reflected, path, rainfall, rect } from '../svg.js';
import { repeat, stroke, svg, textOf, wash, type Board, type Drawing, type Painter } from '../svg.js';
import { choose } from '../theme.js';

/** The colours of the night from the zenith to the horizon. */
const SKIES: Readonly<Record<string, readonly [Hex, Hex, Hex]>> = {
  'august summer sunset heat dusk coral': ['#0b0722', '#5b1a6b', '#ff5a5f'],
  'harbour rain ferry sea teal river water': ['#030d24', '#0d3b66', '#19b5a5'],
  'fire signal red market lantern tram': ['#120414', '#7a1033', '#ff9a3d'],
  'neon arcade disco pink love': ['#050a18', '#2b2a72', '#e04fb0'],
  'blue hour rooftop cold winter snow': ['#061226', '#1c4a86', '#8fb8ff'],
  'gold brass dawn lamp yellow taxi': ['#0d0b1a', '#4b2b4f', '#ffc46b'],
  'green absinthe lime fog subway': ['#04120f', '#124437', '#b6e36a'],
  'violet dream lavender midnight': ['#0a0620', '#3c2483', '#c59bff'],
};

const LAMPLIGHT = '#ffdf9e';

type Night = ReturnType<typeof night>;

function night(board: Board) {
  const [top, middle, horizon] = choose(board.theme, board.random, SKIES);
  return { ...board, top, middle, glow: horizon, neon: [horizon, '#fff0c9', '#6ff0e0', '#ff4f8b', '#ffb13d'] };
}

function sky(s: Night, horizonY: number): Drawing {
  const { random } = s;
  const star = (): Drawing => {
    const x = random.next() * 1000;
    const y = random.next() ** 1.6 * horizonY * 0.6;
    return circle(x, y, random.between(0.5, 1.6), '#fff', { 'fill-opacity': random.between(0.2, 0.8) });
  };
  return [wash('s', 0, horizonY + 2, { 0: s.top, 60: s.middle, 100: s.glow }), repeat(60, star)];
}

const moon = (x: number, y: number, r: number): Drawing => [
  glow('moonlight', x, y, r * 2.6, '#fff3dc', 0.5),
  circle(x, y, r, '#fff1da'),
  circle(x - r * 0.3, y + r * 0.2, r * 0.16, '#f0dcbd'),
  circle(x + r * 0.28, y - r * 0.3, r * 0.1, '#f0dcbd'),
];

/** Lit windows in a grid over a wall. */
function windows(s: Night, x: number, y: number, w: number, h: number, density: number, cell = 15): Drawing {
  const { random } = s;
  const columns = Math.max(2, Math.round(w / cell));
  const step = w / columns;
  const rows = Math.max(0, Math.ceil((h - 18) / cell));
  return repeat(rows * columns, (i) => {
    if (!random.chance(density)) return [];
    const color = random.chance(0.12) ? random.pick(s.neon) : LAMPLIGHT;
    const left = x + ((i % columns) + 0.25) * step;
    const top = y + 10 + Math.floor(i / columns) * cell;
    return rect(left, top, step * 0.5, cell * 0.48, color, { 'fill-opacity': random.between(0.4, 0.95) });
  });
}

/** A soft halo around a light. It consists of nested shapes, because a blur filter per light is too slow. */
const halo = (x: number, y: number, w: number, h: number, color: Hex, reach: number): Drawing =>
  [1, 0.72, 0.46, 0.22].map((k) => {
    const margin = reach * k;
    const soft = { rx: margin + 3, 'fill-opacity': 0.1 };
    return rect(x - margin, y - margin, w + 2 * margin, h + 2 * margin, color, soft);
  });

const neonBar = (x: number, y: number, h: number, color: Hex): Drawing => [
  halo(x, y, 6, h, color, 11),
  rect(x, y, 6, h, color, { rx: 3 }),
  rect(x + 1.6, y + 2, 2.6, h - 4, '#ffffff', { rx: 1.3, 'fill-opacity': 0.75 }),
];

const layerColor = (s: Night, layer: number): Hex =>
  [mix(s.middle, s.glow, 0.35), mix(s.top, s.middle, 0.7), darken(s.top, 0.35)][layer] ?? s.top;

/** A roof on a wall that is `w` units wide; some walls have none. */
function roof(s: Night, x: number, y: number, w: number, color: Hex): Drawing {
  const roofs = [
    rect(w * 0.48, -46, 3, 46, color),
    path(svg`M0 1L${w / 2} ${-w * 0.5}L${w} 1Z`, color),
    rect(w * 0.2, -18, w * 0.6, 20, color) + rect(w * 0.36, -34, w * 0.28, 18, color),
    path(svg`M0 1A${w / 2} ${w / 2} 0 0 1 ${w} 1Z`, color),
    path(svg`M0 1L${w} ${-w * 0.45}L${w} 1Z`, color),
  ];
  return group(roofs[s.random.int(0, 6)] ?? [], at(x, y));
}

function skyline(s: Night, foot: number, tall: number): Drawing {
  const { random } = s;
  const peakAt = random.between(150, 850);
  return repeat(3, (layer) => {
    const color = layerColor(s, layer);
    const houses: Drawing[] = [];
    for (let x = -20 - random.next() * 40; x < 1020;) {
      const w = random.between(46, 130) * (1 + layer * 0.2);
      const near = 1 - Math.min(1, Math.abs(x + w / 2 - peakAt) / 620);
      const h = tall * (0.22 + random.next() ** 2 * 0.5 + near * 0.36) * (1 - 0.17 * layer);
      const y = foot - h;
      houses.push(rect(x, y, w, h, color), roof(s, x, y, w, color));
      if (layer > 0) {
        houses.push(windows(s, x, y, w, h, random.between(0.1, 0.42)));
        if (random.chance(0.35)) {
          const barX = x + w * random.between(0.2, 0.8);
          const length = h * random.between(0.25, 0.55);
          houses.push(neonBar(barX, y + h * 0.15, length, random.pick(s.neon)));
        }
      }
      x += w + (layer === 2 ? random.between(0, 26) : 2);
    }
    return houses;
  });
}

/** A picture and its reflection in dark water, which hides `dim` (0 to 1) of it. */
function overWater(s: Night, above: Drawing, shore: number, dim: number): Drawing {
  const water = rect(0, shore, 1000, s.height - shore, s.top, { 'fill-opacity': dim });
  return reflected(textOf(above), shore, s.height, '3 9', water);
}

const names = (s: Night, vehicle: RegExp): boolean => s.theme.words.some((word) => vehicle.test(word));

/** A skyline over dark water. */
function waterfront(s: Night): Drawing {
  const { random, height } = s;
  const shore = height * random.between(0.58, 0.72);
  const r = random.between(90, 190);
  const above = [
    sky(s, shore),
    moon(random.between(220, 780), shore - height * random.between(0.16, 0.36), r),
    skyline(s, shore, height * random.between(0.42, 0.62)),
  ];
  const gleam = (): Drawing => {
    const w = random.between(30, 190);
    const x = random.next() * 1000 - w / 2;
    const y = shore + random.next() ** 1.4 * (height - shore);
    const h = random.between(1, 3.6);
    const color = random.chance(0.4) ? s.glow : s.top;
    return rect(x, y, w, h, color, { 'fill-opacity': random.between(0.15, 0.55) });
  };
  return [
    overWater(s, above, shore, 0.45),
    repeat(52, gleam),
    names(s, /^(ferry|boat|ship|harbour)/) || random.chance(0.3)
      ? group(ferry(s), at(random.between(200, 700), shore + (height - shore) * random.between(0.35, 0.6)))
      : [],
  ];
}

function ferry(s: Night): Drawing {
  const dark = darken(s.top, 0.4);
  return [
    path('M-130 0L150 0L120 38L-100 38Z', dark),
    rect(-90, -34, 180, 36, dark),
    rect(-50, -60, 90, 28, dark),
    rect(46, -76, 20, 44, s.glow),
    repeat(9, (i) => rect(-82 + i * 19, -26, 11, 12, LAMPLIGHT)),
    repeat(4, (i) => rect(-42 + i * 20, -54, 12, 10, LAMPLIGHT)),
    ellipse(0, 46, 170, 7, s.glow, { 'fill-opacity': 0.35 }),
  ];
}

/** A street canyon with one vanishing point, signs on both sides and wet asphalt. */
function street(s: Night): Drawing {
  const { random, height } = s;
  const { x: vx, y: vy } = random.point(380, 620, height * 0.5, height * 0.62);
  const above = [
    sky(s, vy + 30),
    moon(vx + random.between(-60, 60), vy - height * random.between(0.18, 0.3), random.between(46, 96)),
  ];
  const shine: Drawing[] = [];
  const edge = (side: number, q: number): number => vx + side * (34 + q * (side < 0 ? vx + 60 : 1060 - vx) * 0.86);
  // From the far (small) houses to the near ones
  const walls = repeat(12, (index) => {
    const i = Math.floor(index / 2);
    const side = index % 2 === 0 ? -1 : 1;
    const q = ((i + 1) / 6) ** 1.9;
    const near = edge(side, q);
    const far = edge(side, (i / 6) ** 1.9);
    const tall = (vy * 0.34 + q * vy * 1.05) * random.between(0.72, 1.2);
    const foot = vy + 10 + q * (height - vy) * 0.55;
    const top = foot - tall;
    const color = mix(mix(s.middle, s.glow, 0.3), darken(s.top, 0.3), Math.min(1, q * 1.5 + 0.1));
    const w = Math.abs(near - far) + 24;
    const x = side < 0 ? near - 24 : far;
    const house = [
      rect(x, top, w, tall + 40, color),
      roof(s, x, top, w, color),
      windows(s, x, top, w, tall, random.between(0.15, 0.4), 12 + q * 22),
    ];
    if (i === 0) return house;
    const neon = random.pick(s.neon);
    const signX = side < 0 ? near + 2 + q * 14 : near - 26 - q * 40;
    const signW = 12 + q * 42;
    const signH = (40 + q * 190) * random.between(0.7, 1.2);
    shine.push(rect(signX - 6, foot + 20, signW + 12, signH * 1.5, neon, { 'fill-opacity': 0.5 }));
    return [house, sign(s, signX, foot - tall * random.between(0.5, 0.8), signW, signH, neon, 2 + q * 4)];
  });
  const foot = vy + 10;
  const lamp = ellipse(vx, foot + 20, 70, 300, '#fff1da', { 'fill-opacity': 0.45 });
  const dash = (i: number): Drawing => {
    const a = (i / 8) ** 2;
    const b = ((i + 0.5) / 8) ** 2;
    const end = svg`L${1 + b * 10} ${b * (height - foot)}h${-2 - b * 20}Z`;
    const line = svg`M${-1 - a * 10} ${a * (height - foot)}h${2 + a * 20}${end}`;
    return path(line, '#fff0c9', { 'fill-opacity': 0.7, ...at(vx, foot) });
  };
  return [
    blur('wet', 4, 26),
    above,
    rect(0, vy, 1000, height - vy, darken(s.top, 0.25)),
    walls,
    path(svg`M${vx - 34} ${foot}H${vx + 34}L1320 ${height + 10}H-320Z`, darken(s.top, 0.3)),
    clipped('rd', rect(0, foot, 1000, height - foot, '#000'), group([shine, lamp], { filter: 'url(#wet)' })),
    repeat(8, dash),
    names(s, /^(tram|bus|taxi|train)/) || random.chance(0.35)
      ? tram(s, vx + random.between(-40, 40), foot + (height - foot) * 0.3)
      : [],
  ];
}

/** A neon sign with invented letters, one below the other. */
function sign(s: Night, x: number, y: number, w: number, h: number, neon: Hex, border: number): Drawing {
  const letters = Math.max(2, Math.round(h / w));
  const letter = h / letters;
  return [
    halo(x, y, w, h, neon, 16),
    rect(x, y, w, h, darken(neon, 0.72), { rx: 4, stroke: neon, 'stroke-width': border }),
    repeat(letters, (i) => glyph(s, x + w * 0.24, y + (i + 0.18) * letter, w * 0.52, letter * 0.62, neon)),
  ];
}

/** An invented letter made of light bars. */
function glyph({ random }: Night, x: number, y: number, w: number, h: number, color: Hex): Drawing {
  const bars = [
    [0, 0, 1, 0.16],
    [0, 0.42, 1, 0.16],
    [0, 0.84, 1, 0.16],
    [0, 0, 0.18, 1],
    [0.82, 0, 0.18, 1],
    [0.42, 0.1, 0.18, 0.8],
  ] as const;
  const shuffled = random.shuffle(bars);
  return shuffled
    .slice(0, random.int(3, 4))
    .map(([left, top, wide, tall]) =>
      rect(x + left * w, y + top * h, wide * w, tall * h, lighten(color, 0.35), { rx: 1.5 }),
    );
}

function tram(s: Night, x: number, y: number): Drawing {
  const size = s.random.between(0.7, 1.25);
  const body = s.random.pick([s.glow, '#e8503a', '#f2b441', '#2f8f83']);
  const parts = [
    glow('lamp', 0, 40, 210, '#fff0c9', 0.4),
    rect(-74, -130, 148, 190, body, { rx: 22 }),
    rect(-62, -106, 124, 74, '#fff0c9', { rx: 8 }),
    rect(-3, -106, 6, 74, body),
    rect(-74, -10, 148, 16, darken(body, 0.35)),
    circle(-44, 30, 12, '#fff6dd'),
    circle(44, 30, 12, '#fff6dd'),
    rect(-26, -128, 52, 16, darken(s.top, 0.2), { rx: 3 }),
    rect(-20, -123, 40, 6, '#ffb13d'),
    rect(-64, 56, 128, 12, darken(s.top, 0.5)),
    stroke('M-30 -130L0 -180L30 -130', darken(s.top, 0.4), 5),
    stroke('M-1000 -182L1000 -176', darken(s.top, 0.4), 2.4),
  ];
  return group(parts, at(x, y, 0, size));
}

/** Roofs with tanks, aerials and washing lines in front of a distant skyline. */
function rooftops(s: Night): Drawing {
  const { random, height } = s;
  const foot = height * random.between(0.66, 0.76);
  return [
    sky(s, foot),
    moon(random.between(180, 820), height * random.between(0.16, 0.34), random.between(60, 170)),
    skyline(s, foot, height * 0.36),
    rect(0, foot - 2, 1000, height, darken(s.top, 0.2)),
    repeat(3, (row) => {
      const color = darken(mix(s.top, s.middle, 0.55 - row * 0.25), 0.15 + row * 0.22);
      const roofs: Drawing[] = [];
      for (let x = -60 + random.next() * -60; x < 1020;) {
        const w = random.between(150, 330);
        const y = foot - 30 + row * height * 0.11 + random.between(-34, 24);
        roofs.push(rect(x, y, w, height - y + 10, color), rect(x - 6, y - 9, w + 12, 13, lighten(color, 0.09)));
        if (random.chance(0.75)) roofs.push(windows(s, x + 14, y + 16, w - 28, Math.min(130, height - y), 0.28, 30));
        const place = at(x + w * random.between(0.2, 0.7), y - 8, 0, 0.75 + row * 0.35);
        roofs.push(group(roofFurniture(s, darken(color, 0.25)), place));
        x += w + random.between(-10, 18);
      }
      return roofs;
    }),
  ];
}

function roofFurniture(s: Night, color: Hex): Drawing {
  switch (s.random.int(0, 4)) {
    case 0:
      return [
        rect(-36, -104, 72, 66, color),
        path('M-42 -102L0 -136L42 -102Z', color),
        stroke('M-28 -40L-32 0M28 -40L32 0M0 -40V0M-30 -20H30', color, 5),
      ];
    case 1:
      return stroke('M0 0V-130M-34 -112H34M-26 -94H26M-16 -76H16', color, 4);
    case 2:
      return [
        rect(-26, -46, 52, 48, color),
        rect(-32, -52, 64, 8, color),
        ellipse(4, -74, 10, 20, '#ffffff', { 'fill-opacity': 0.14 }),
      ];
    case 3:
      return [
        stroke('M-80 0V-64M80 0V-64M-80 -60Q0 -44 80 -60', color, 3),
        repeat(5, (i) => {
          const tall = s.random.between(24, 40);
          return rect(-62 + i * 26, -54, 17, tall, s.random.pick(s.neon), { 'fill-opacity': 0.85 });
        }),
      ];
    default:
      return [neonBar(-4, -120, 96, s.random.pick(s.neon)), rect(-2, -24, 4, 24, color)];
  }
}

/** A wall of windows, some of them lit. */
function facade(s: Night): Drawing {
  const { random, height } = s;
  const columns = random.int(4, 7);
  const gap = 1000 / columns;
  const rows = Math.ceil(height / (gap * 1.1));
  const wall = mix(s.top, s.middle, 0.35);
  const awake = random.between(0.22, 0.5);
  const w = gap * 0.66;
  const h = gap * 0.72;
  const window = (x: number, y: number): Drawing => {
    const lit = random.chance(awake);
    const light = random.chance(0.55) ? LAMPLIGHT : random.pick(s.neon);
    const gleam = path('M0 100L70 0H100L30 100Z', '#ffffff', { 'fill-opacity': 0.05 });
    return [
      lit ? halo(x, y, w, h, light, 34) : [],
      rect(x, y, w, h, lit ? light : darken(wall, 0.42)),
      group(lit ? windowLife(s, darken(light, 0.72)) : gleam, at(x, y, 0, w / 100, h / 100)),
      rect(x + w / 2 - 2.5, y, 5, h, darken(wall, 0.5)),
      rect(x - 6, y + h, w + 12, gap * 0.05, lighten(wall, 0.12)),
    ];
  };
  return [
    linear('s', { 0: s.middle, 100: s.top }),
    rect(0, 0, 1000, height, wall),
    rect(0, 0, 1000, height, 'url(#s)', { opacity: 0.5 }),
    repeat(rows, (row) => [
      rect(0, row * gap * 1.1 + gap * 1.02, 1000, gap * 0.05, darken(wall, 0.25)),
      repeat(columns, (column) => window(column * gap + gap * 0.17, row * gap * 1.1 + gap * 0.16)),
    ]),
  ];
}

/** A person, a cat, a lamp, a plant or curtains in a window of 100 by 100 units; some windows have none. */
function windowLife({ random }: Night, dark: Hex): Drawing {
  const kind = random.int(0, 6);
  const x = random.between(30, 70);
  const veil = { 'fill-opacity': 0.45 };
  const life = [
    [ellipse(0, 48, 13, 12, dark), path('M-24 100Q-22 62 0 62Q22 62 24 100Z', dark)],
    path('M-14 100v-20q2 -18 5 -10h10q4 -8 5 10v20Z', dark),
    [rect(-0.8, 0, 1.6, 25, dark), path('M-16 38L-6 24h12L16 38Z', dark)],
    [
      rect(-12, 76, 24, 24, dark),
      [-40, -14, 14, 40].map((degrees) => group(ellipse(0, -17, 5, 18, dark), at(0, 80, degrees))),
    ],
  ][kind];
  if (life) return group(life, at(x, 0));
  return kind === 4 ? [path('M0 0h30q-4 60 -30 100Z', dark, veil), path('M100 0h-30q4 60 30 100Z', dark, veil)] : [];
}

/** A lit bridge over a river, with the city behind it. */
function bridge(s: Night): Drawing {
  const { random, height } = s;
  const water = height * random.between(0.66, 0.74);
  const deck = water - height * random.between(0.05, 0.1);
  const dark = darken(s.top, 0.45);
  const town = [
    sky(s, water),
    moon(random.between(180, 820), height * random.between(0.2, 0.36), random.between(50, 130)),
    skyline(s, water, height * random.between(0.22, 0.34)),
  ];
  const towers = random.chance(0.5) ? [random.between(240, 320), random.between(690, 780)] : [random.between(420, 580)];
  const tall = height * random.between(0.3, 0.42);
  const tower = (x: number): Drawing => [
    rect(x - 22, deck - tall, 12, tall + 60, dark),
    rect(x + 10, deck - tall, 12, tall + 60, dark),
    rect(x - 24, deck - tall + 20, 48, 10, dark),
    rect(x - 24, deck - tall * 0.5, 48, 10, dark),
    circle(x, deck - tall - 8, 5, '#ff4f4f'),
  ];
  const car = (): Drawing => {
    const x = random.next() * 1000;
    const w = random.between(10, 40);
    return rect(x, deck + 5, w, 3, random.pick(['#fff0c9', '#ff4f4f', s.glow]));
  };
  const gleam = (): Drawing => {
    const { x, y } = random.point(0, 960, water, height);
    const w = random.between(30, 150);
    const h = random.between(1, 3);
    return rect(x, y, w, h, s.glow, { 'fill-opacity': random.between(0.1, 0.4) });
  };
  const above = [
    town,
    towers.map(tower),
    cables([-260, ...towers, 1260], deck, tall, dark),
    rect(0, deck, 1000, 18, dark),
    repeat(26, car),
  ];
  return [overWater(s, above, water, 0.5), repeat(40, gleam)];
}

/** Cables between the anchors and the towers at `places`, with lamps on their hangers. */
const cables = (places: readonly number[], deck: number, tall: number, color: Hex): Drawing =>
  places.slice(1).map((to, i) => {
    const from = places[i] ?? to;
    const first = i === 0;
    const last = i + 2 === places.length;
    const start = deck - (first ? 20 : tall);
    const end = deck - (last ? 20 : tall);
    const sag = first || last ? Math.max(start, end) + 6 : deck + tall * 0.62;
    const hanger = (k: number): Drawing => {
      const t = (k + 1) / 16;
      const x = from + (to - from) * t;
      const y = (1 - t) ** 2 * start + 2 * t * (1 - t) * sag + t * t * end;
      return [
        rect(x, y, 2, deck - y, color),
        circle(x, y, 4, '#ffe9b8'),
        circle(x, y, 9, '#ffe9b8', { 'fill-opacity': 0.25 }),
      ];
    };
    return [stroke(svg`M${from} ${start}Q${(from + to) / 2} ${sag} ${to} ${end}`, color, 6), repeat(15, hanger)];
  });

/** Cities after midnight: skylines over water, street canyons, roofs, lit walls, bridges. */
export const city: Painter = (board) => {
  const s = night(board);
  const compose = choose(board.theme, board.random, {
    'harbour ferry river water skyline island district sea quay': waterfront,
    'street tram asphalt signal lights traffic taxi market crossing avenue alley neon bus': street,
    'roof rooftop rooftops above washing pigeons aerials water-tank': rooftops,
    'window windows awake apartment neighbour neighbours facade insomnia tower hotel floor': facade,
    'bridge crossing train viaduct home commute': bridge,
  });
  return [compose(s), board.theme.weather === 'rain' ? rainfall(board, 190, '#cfe6ff') : []];
};

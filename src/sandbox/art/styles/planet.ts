import { darken, lighten, mix, type Hex } from '../color.js';
import { around, at, circle, clipped, ellipse, glow, group, linear, path, polyline, radial, rect } from '../svg.js';
import { repeat, ROUND_ENDS, stroke, svg, turned, type Board, type Drawing, type Painter } from '../svg.js';
import { across, below, fractalBlob, fractalLine } from '../shapes.js';
import { choose } from '../theme.js';

const SKIES: Readonly<Record<string, readonly [Hex, Hex, Hex, Hex, Hex]>> = {
  'dusk warm coral season sunset orange': ['#070912', '#f2a65a', '#d1495b', '#f5dfb8', '#43204f'],
  'sea ocean quiet cold ice rain blue water': ['#050b14', '#58a4b0', '#1b4965', '#dff3e4', '#f6ae2d'],
  'violet dream night promise purple': ['#0c0714', '#c77dff', '#5a189a', '#ffd6ff', '#ff9e5e'],
  'copper rust desert dust brass': ['#0a0a0c', '#e8c39e', '#9c6644', '#fff1dd', '#e4572e'],
  'green garden moss jungle small': ['#06100e', '#8fcf8a', '#1f6f5c', '#f0f6d0', '#ff8a5b'],
  'rose pink candy love': ['#12060f', '#ff8fa3', '#a4133c', '#ffe5ec', '#7bdff2'],
  'gold lemon sun summer king': ['#0d0a05', '#ffd166', '#c77d0a', '#fff6d6', '#4cc9f0'],
  'storm lightning weather indigo deep': ['#05060f', '#7f9cf5', '#27318b', '#e3e9ff', '#f15bb5'],
};

type Space = ReturnType<typeof space>;

function space(board: Board) {
  const [dark, main, deep, pale, spark] = choose(board.theme, board.random, SKIES);
  return { ...board, dark, main, deep, pale, spark };
}

/** A sky of stars and nebulae, down to the level `foot`. */
function stars(s: Space, count = 230, foot = s.height): Drawing {
  const { random } = s;
  const place = (): readonly [number, number] => [random.next() * 1000, random.next() * foot];
  const nebula = (color: Hex, i: number): Drawing =>
    glow(`neb${i}`, ...place(), random.between(280, 620), color, i === 0 ? 0.55 : 0.16);
  const star = (): Drawing => {
    const [x, y] = place();
    const r = 0.5 + random.next() ** 2 * 2.4;
    const color = random.chance(0.12) ? s.pale : '#fff';
    return circle(x, y, r, color, { 'fill-opacity': random.between(0.2, 1) });
  };
  const spike = (): Drawing => {
    const [x, y] = place();
    const l = random.between(8, 20);
    return stroke(svg`M${x - l} ${y}H${x + l}M${x} ${y - l}V${y + l}`, '#fff', 1.6, { 'stroke-opacity': 0.8 });
  };
  return [
    rect(0, 0, 1000, s.height, s.dark),
    [s.deep, s.main, s.spark].map(nebula),
    repeat(count, star),
    repeat(5, spike),
  ];
}

type Surface = 'bands' | 'marble' | 'craters' | 'continents';

/** The surface patterns of a globe with radius 100 around the origin. */
const SURFACES: Readonly<Record<Surface, (s: Space) => Drawing>> = {
  bands: (s) => banded(s, 7, 24, 10),
  marble: (s) => banded(s, 16, 42, 42),
  craters: cratered,
  continents: continental,
};

/** Wavy bands, `thin` to `thick` units high, and often a storm. */
function banded({ random, main, deep, pale, spark }: Space, thin: number, thick: number, rough: number): Drawing {
  const tones = [main, deep, pale, mix(main, pale, 0.5), mix(main, deep, 0.5)];
  const bands: Drawing[] = [];
  let last = main;
  for (let y = -100; y < 100; y += random.between(thin, thick)) {
    last = random.pick(tones.filter((tone) => tone !== last));
    const line = across(fractalLine(random, rough, 0.62), -120, 120, y);
    bands.push(path(below(polyline(line), -120, 120, 120), last));
  }
  const storm = (): Drawing => {
    const { x, y } = random.point(-40, 30, -30, 50);
    return [ellipse(x, y, 26, 13, pale), ellipse(x, y, 20, 9, spark), ellipse(x, y, 9, 4, pale)];
  };
  return [rect(-120, -120, 240, 240, main), bands, random.chance(0.6) ? storm() : []];
}

function cratered({ random, main, deep }: Space): Drawing {
  const plain = (): Drawing => {
    const outline = fractalBlob(random, random.between(-80, 80), random.between(-80, 80), 40, 30);
    return path(outline, mix(main, deep, 0.2));
  };
  const crater = (): Drawing => {
    const { x, y } = around(0, 0, 100, random.next() * 6.3);
    const d = Math.sqrt(random.next());
    const k = 2.5 + random.next() ** 2.4 * 18;
    return [
      circle(x * d, y * d, k, mix(main, deep, 0.55)),
      circle(x * d + k * 0.14, y * d + k * 0.14, k * 0.84, mix(main, deep, 0.28)),
    ];
  };
  return [rect(-100, -100, 200, 200, main), repeat(5, plain), repeat(30, crater)];
}

function continental({ random, main, pale, deep }: Space): Drawing {
  const continent = (): Drawing => {
    const { x, y } = random.point(-90, 90, -80, 80);
    const rx = random.between(16, 50);
    const ry = random.between(12, 32);
    return [
      path(fractalBlob(random, x, y, rx, ry), main),
      path(fractalBlob(random, x, y, rx * 0.6, ry * 0.6), mix(main, pale, 0.4)),
    ];
  };
  const cloud = (): Drawing => {
    const { x, y } = random.point(-80, 80, -70, 70);
    const rx = random.between(20, 50);
    return path(fractalBlob(random, x, y, rx, 3.5, 0.5), '#ffffff', { 'fill-opacity': 0.75 });
  };
  return [
    rect(-100, -100, 200, 200, deep),
    repeat(8, continent),
    path(fractalBlob(random, 0, -100, 60, 20), pale),
    path(fractalBlob(random, 0, 100, 50, 16), pale),
    repeat(7, cloud),
  ];
}

interface Globe {
  /** Must be unique: the ids of its gradients begin with it. */
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly r: number;
  readonly surface: Surface;
  /** Degrees. */
  readonly tilt: number;
  readonly halo: number;
}

/** A globe, lit from the upper left. */
function globe(s: Space, { id, x, y, r, surface, tilt, halo }: Globe): Drawing {
  const parts = [
    circle(0, 0, 134, `url(#${id}h)`),
    group(clipped(`${id}c`, '<circle r="100"/>', SURFACES[surface](s)), turned(tilt)),
    circle(0, 0, 100, `url(#${id}l)`),
  ];
  const gradients = [radial(`${id}h`, { 74: [s.main, halo], 100: [s.main, 0] }), light(id)];
  return [gradients, group(parts, at(x, y, 0, r / 100))];
}

function light(id: string): Drawing {
  const shade = { 0: ['#ffffff', 0.35], 40: ['#ffffff', 0], 62: ['#000000', 0.15], 100: ['#000000', 0.88] } as const;
  return radial(`${id}l`, shade, { cx: 0.3, cy: 0.28, r: 0.85 });
}

/** One half of the rings around a globe with radius 100. `flat` is their height as a part of their width. */
function ringHalf(s: Space, front: boolean, flat: number): Drawing {
  const rings = [
    [148, 10, s.pale, 0.5],
    [164, 16, s.main, 0.8],
    [183, 10, s.pale, 0.8],
    [195, 2.5, s.main, 0.9],
  ] as const;
  return rings.map(([r, width, color, opacity]) => {
    const arc = svg`M${-r} 0A${r} ${r * flat} 0 0 ${front ? 0 : 1} ${r} 0`;
    return stroke(arc, color, width, { 'stroke-opacity': opacity });
  });
}

function giant(s: Space): Drawing {
  const { random, height } = s;
  const r = random.between(200, 310);
  const { x, y } = random.point(380, 620, height * 0.4, height * 0.6);
  const tilt = random.between(-34, 34);
  const flat = random.between(0.14, 0.4);
  const ringed = s.theme.words.some((word) => word.startsWith('ring')) || random.chance(0.7);
  const ring = (front: boolean): Drawing => (ringed ? group(ringHalf(s, front, flat), at(x, y, tilt, r / 100)) : []);
  const sky = stars(s);
  const surface = random.pick<Surface>(['bands', 'bands', 'marble']);
  return [
    sky,
    ring(false),
    globe(s, { id: 'g', x, y, r, surface, tilt, halo: 0.5 }),
    ring(true),
    moons(s, x, y, r, s.theme.count ?? random.int(1, 3)),
  ];
}

const moons = (s: Space, x: number, y: number, r: number, count: number): Drawing => [
  light('mo'),
  repeat(Math.min(5, count), (i) => {
    const angle = s.random.next() * 6.3;
    const moon = around(x, y, r * s.random.between(1.6, 2.2), angle);
    const size = r * s.random.between(0.06, 0.18);
    return [i % 2 === 0 ? s.spark : s.pale, 'url(#mol)'].map((fill) => circle(moon.x, moon.y, size, fill));
  }),
];

/** The view from one world while another rises. */
function moonrise(s: Space): Drawing {
  const { random, height } = s;
  const ground = height * random.between(0.66, 0.78);
  const r = random.between(170, 380);
  const x = random.between(200, 800);
  const sky = stars(s, 200, ground);
  const y = ground - r * random.between(0.3, 1);
  const surface = random.pick<Surface>(['bands', 'continents', 'marble', 'craters']);
  const world = globe(s, { id: 'g', x, y, r, surface, tilt: random.between(-30, 30), halo: 0.6 });
  const many = s.theme.count ?? random.int(0, 2);
  return [
    sky,
    world,
    repeat(Math.min(3, many), (i) => {
      const place = { x: (x + 320 + i * 240) % 1000, y: height * random.between(0.12, 0.34) };
      return globe(s, { id: `m${i}`, ...place, r: random.between(26, 70), surface: 'craters', tilt: 0, halo: 0.3 });
    }),
    repeat(4, (i) => layerOfGround(s, i, ground + (i / 3) * (height - ground) * 0.8)),
    random.chance(0.7) ? traveller(s, random.between(180, 820), ground + (height - ground) * 0.36) : [],
  ];
}

/** One of four layers of ground, from the far to the near one, with pits below the level `y`. */
function layerOfGround({ random, height, main, deep, dark }: Space, index: number, y: number): Drawing {
  const t = index / 3;
  const a = random.between(70, 150);
  const b = random.between(24, 50);
  const phase = random.between(0, 6);
  const line = repeat(103, (k) => {
    const x = -10 + k * 10;
    const wave = Math.sin(x / a + phase) * 26 + Math.sin(x / b + phase * 3) * 9;
    return { x, y: y + wave + random.between(-3, 3) };
  });
  const color = mix(mix(main, deep, 0.35 + t * 0.4), dark, 0.25 + t * 0.45);
  const pit = (): Drawing => {
    const middle = random.point(0, 1000, y + 50, y + 90);
    const w = random.between(30, 110);
    return [
      ellipse(middle.x, middle.y, w, w * 0.2, darken(color, 0.35)),
      ellipse(middle.x, middle.y + w * 0.05, w * 0.9, w * 0.13, darken(color, 0.12)),
    ];
  };
  return [
    linear(`gd${index}`, { 0: lighten(color, 0.1), 100: darken(color, 0.3) }),
    path(below(polyline(line), -10, 1010, height + 10), `url(#gd${index})`),
    repeat(3, pit),
  ];
}

/** A small figure or its rocket. */
function traveller(s: Space, x: number, y: number): Drawing {
  const figure = [
    rect(-9, -34, 18, 30, s.pale, { rx: 7 }),
    circle(0, -44, 13, s.pale),
    ellipse(4, -44, 7, 6, s.dark),
    rect(-8, -8, 6, 12, s.pale),
    rect(2, -8, 6, 12, s.pale),
    rect(-15, -32, 6, 20, s.spark, { rx: 3 }),
  ];
  const rocket = [
    path('M0 -150C34 -110 34 -60 26 -20H-26C-34 -60 -34 -110 0 -150Z', s.pale),
    path('M0 -150C34 -110 34 -60 26 -20H0Z', mix(s.pale, s.dark, 0.25)),
    circle(0, -92, 12, s.dark),
    circle(0, -92, 8, s.spark),
    path('M-26 -60L-50 -4L-24 -20ZM26 -60L50 -4L24 -20Z', s.spark),
    rect(-3, -20, 6, 22, s.dark),
  ];
  return s.random.chance(0.5) ? group(figure, at(x, y, 0, 1.25)) : group(rocket, at(x, y));
}

/** A crescent that fills the picture, with a glowing atmosphere along its edge. */
function limb(s: Space): Drawing {
  const { random, height } = s;
  const r = random.between(560, 820);
  const [across, down] = random.pick([
    [0.06, 1.05],
    [0.95, 1.06],
    [0.5, 1.32],
    [1.02, 0.1],
  ] as const);
  const x = 1000 * across;
  const y = height * down;
  const sky = stars(s);
  const surface = random.pick<Surface>(['marble', 'bands', 'continents']);
  const world = globe(s, { id: 'g', x, y, r, surface, tilt: random.between(-40, 40), halo: 0.9 });
  const sx = across > 0.6 ? random.between(120, 380) : random.between(620, 880);
  const sy = height * (down < 0.5 ? 0.78 : random.between(0.14, 0.3));
  return [
    sky,
    glow('air', x, y, r * 1.5, s.main, 0.85),
    world,
    circle(x, y, r, 'none', { stroke: lighten(s.pale, 0.3), 'stroke-width': 4, 'stroke-opacity': 0.7 }),
    random.chance(0.5)
      ? [glow('star', sx, sy, 210, s.pale, 0.9), circle(sx, sy, 34, '#fff')]
      : globe(s, { id: 'm', x: sx, y: sy, r: random.between(50, 120), surface: 'craters', tilt: 0, halo: 0.4 }),
  ];
}

/** A small planetary system with its orbits. */
function system(s: Space): Drawing {
  const { random, height } = s;
  const { x, y } = random.point(380, 620, height * 0.42, height * 0.58);
  const flat = random.between(0.3, 0.95);
  const tilt = random.between(-26, 26);
  const sky = [stars(s, 260), glow('sun', x, y, 300, s.pale, 0.85), circle(x, y, random.between(56, 96), s.pale)];
  const count = s.theme.count ?? random.int(4, 7);
  const few = count < 4;
  const radiusOf = (i: number): number => 150 + (i + (few ? 0.6 : 0)) * (370 / Math.max(3, count));
  const radii = repeat(Math.min(8, count), radiusOf);
  const orbit = (r: number, i: number): Drawing =>
    ellipse(x, y, r, r * flat, 'none', {
      stroke: s.pale,
      'stroke-width': 1.6,
      'stroke-opacity': 0.45,
      ...turned(tilt, x, y),
      'stroke-dasharray': i % 3 === 2 ? '3 9' : undefined,
    });
  const world = (orbitRadius: number, i: number): Drawing => {
    const onOrbit = around(0, 0, orbitRadius, random.next() * 6.3);
    const ex = onOrbit.x;
    const ey = onOrbit.y * flat;
    const turn = (tilt * Math.PI) / 180;
    const px = x + ex * Math.cos(turn) - ey * Math.sin(turn);
    const py = y + ex * Math.sin(turn) + ey * Math.cos(turn);
    const r = (random.between(20, 44) + i * 6) * (few ? 1.7 : 1);
    const skin: Space = i % 2 === 0 ? s : { ...s, main: s.spark, deep: mix(s.spark, s.dark, 0.5) };
    const surface = random.pick<Surface>(['bands', 'craters', 'continents']);
    return [
      globe(skin, { id: `o${i}`, x: px, y: py, r, surface, tilt: random.between(-30, 30), halo: 0.25 }),
      random.chance(0.3) ? group(ringHalf(skin, true, 0.25), at(px, py, -18, r / 100)) : [],
    ];
  };
  return [sky, radii.map(orbit), radii.map(world)];
}

/** A tiny planet with trees and houses all around its edge. */
function tiny(s: Space): Drawing {
  const { random, height } = s;
  const { x, y } = random.point(440, 560, height * 0.5, height * 0.58);
  const r = random.between(180, 250);
  const sky = stars(s);
  const count = random.int(9, 15);
  const growths = repeat(count, (i) => {
    const degrees = (i / count) * 360 + random.between(-8, 8);
    const edge = around(x, y, r - 5, ((degrees - 90) * Math.PI) / 180);
    const growth = growthOf(s, random.int(0, 4));
    return group(growth, at(edge.x, edge.y, degrees, random.between(0.75, 1.5)));
  });
  const surface = random.pick<Surface>(['continents', 'craters']);
  const world = globe(s, { id: 'g', x, y, r, surface, tilt: random.between(-30, 30), halo: 0.35 });
  const weather = s.theme.weather === 'clear' ? random.pick(['clouds', 'rain', 'snow']) : s.theme.weather;
  const clouds = repeat(6, () => {
    const degrees = random.next() * 360;
    const place = around(x, y, r * random.between(1.5, 1.95), (degrees * Math.PI) / 180);
    return group(cloud(s, random.between(50, 100), weather), at(place.x, place.y, degrees + 90));
  });
  return [sky, growths, world, clouds];
}

/** A cloud of `w` units to each side, and what falls from it. */
function cloud(s: Space, w: number, weather: string): Drawing {
  const white = { 'fill-opacity': 0.92 };
  const drops = [0, 1, 2, 3].map((k) => {
    const x = -w * 0.5 + k * w * 0.3;
    if (weather === 'rain') return stroke(svg`M${x} ${w * 0.36}l-8 34`, s.pale, 4, ROUND_ENDS);
    return weather === 'snow' ? circle(x, w * 0.5 + (k % 2) * 18, 5, '#fff') : [];
  });
  return [
    ellipse(0, 0, w, w * 0.26, '#fff', white),
    circle(-w * 0.25, -w * 0.2, w * 0.34, '#fff', white),
    circle(w * 0.22, -w * 0.14, w * 0.26, '#fff', white),
    drops,
  ];
}

/** A tree, a fir, a cottage, a mountain or a lamp. */
const growthOf = (s: Space, kind: number): Drawing =>
  [
    [
      rect(-4, -50, 8, 54, darken(s.deep, 0.4)),
      circle(0, -66, 34, mix(s.main, s.pale, 0.2)),
      circle(-10, -74, 12, s.pale, { 'fill-opacity': 0.35 }),
    ],
    path('M0 -120L28 -40H12L36 4H-36L-12 -40H-28Z', mix(s.deep, s.main, 0.35)),
    [
      rect(-24, -44, 48, 50, s.pale),
      path('M-32 -42L0 -78L32 -42Z', s.spark),
      rect(-7, -24, 14, 28, s.dark),
      rect(9, -36, 9, 10, s.dark),
    ],
    [path('M-44 6L0 -84L44 6Z', mix(s.main, s.deep, 0.5)), path('M-14 -56L0 -84L14 -56L4 -46L-5 -54Z', s.pale)],
    [rect(-2.5, -70, 5, 74, s.pale), circle(0, -74, 10, s.spark), circle(0, -74, 22, s.spark, { 'fill-opacity': 0.3 })],
  ][kind] ?? [];

/** A comet, or an eclipse: a light disc behind a dark one. */
function eclipse(s: Space): Drawing {
  const { random, height } = s;
  const { x, y } = random.point(350, 650, height * 0.36, height * 0.6);
  const r = random.between(150, 260);
  const sky = stars(s, 280);
  return [sky, random.chance(0.5) ? corona(s, x, y, r) : comet(s, x - 200, y + 180)];
}

function corona({ random, pale, main, dark }: Space, x: number, y: number, r: number): Drawing {
  const ray = (): Drawing => {
    const angle = random.next() * 6.3;
    const from = around(x, y, r, angle);
    const to = around(x, y, r * random.between(1.1, 2.1), angle + 0.03);
    const line = svg`M${from.x} ${from.y}L${to.x} ${to.y}`;
    return stroke(line, pale, random.between(1, 4), { 'stroke-opacity': 0.3 });
  };
  return [
    glow('cor', x, y, r * 2.6, main, 0.95),
    glow('cor2', x, y, r * 1.7, pale, 0.9),
    repeat(70, ray),
    circle(x, y, r, dark),
    circle(x - r * 0.72, y - r * 0.72, r * 0.07, '#fff'),
    glow('gem', x - r * 0.7, y - r * 0.7, r * 0.5, '#ffffff', 0.9),
  ];
}

function comet(s: Space, x: number, y: number): Drawing {
  const { random, height } = s;
  const angle = random.between(-0.9, -0.3);
  const tail = (): Drawing => {
    const end = around(x - 30, y, 900, angle + random.between(-0.16, 0.16));
    return path(svg`M${x} ${y}L${end.x} ${end.y}l60 40Z`, 'url(#tail)', { opacity: 0.22 });
  };
  return [
    linear('tail', { 0: [s.pale, 0.95], 25: [s.main, 0.6], 100: [s.deep, 0] }, { y1: 1, x2: 1, y2: 0 }),
    repeat(26, tail),
    glow('head', x, y, 190, s.pale, 1),
    circle(x, y, 40, '#fff'),
    globe(s, {
      id: 'g',
      x: 830,
      y: height * 0.82,
      r: random.between(150, 260),
      surface: 'marble',
      tilt: 20,
      halo: 0.4,
    }),
  ];
}

/** Painted worlds: giants with rings, moonrises, crescents, systems, tiny planets, eclipses. */
export const planet: Painter = (board) => {
  const s = space(board);
  const compose = choose(board.theme, board.random, {
    'giant ring rings season saturn copper king': giant,
    'postcard moonrise landing horizon camp traveller moon home warm two three': moonrise,
    'dusk crescent edge atmosphere approach window close': limb,
    'orbit orbits system moons family seven four five six eight nine': system,
    'small tiny little garden house weather tree village': tiny,
    'eclipse comet wish shadow meteor promise': eclipse,
  });
  return compose(s);
};

import { type Hex } from './color.js';
import { type Random } from './random.js';
import { type Theme } from './theme.js';

/** The drawing area of a style: 1000 units wide, `height` units high. */
export interface Board {
  readonly width: 1000;
  readonly height: number;
  readonly random: Random;
  readonly theme: Theme;
}

/** Draws the content of an `<svg>` element. */
export type Painter = (board: Board) => string;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Formats a number for an attribute, rounded to a tenth of a unit. */
export const n = (value: number): string => String(Math.round(value * 10) / 10);

export type Attributes = Readonly<Record<string, string | number | undefined>>;

const attributes = (extra: Attributes): string =>
  Object.entries(extra)
    .map(([name, value]) =>
      value === undefined ? '' : ` ${name}="${typeof value === 'number' ? Math.round(value * 1000) / 1000 : value}"`,
    )
    .join('');

export const rect = (x: number, y: number, w: number, h: number, fill: string, extra: Attributes = {}): string =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" fill="${fill}"${attributes(extra)}/>`;

export const circle = (x: number, y: number, r: number, fill: string, extra: Attributes = {}): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}"${attributes(extra)}/>`;

export const ellipse = (x: number, y: number, rx: number, ry: number, fill: string, extra: Attributes = {}): string =>
  `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(rx)}" ry="${n(ry)}" fill="${fill}"${attributes(extra)}/>`;

export const path = (d: string, fill: string, extra: Attributes = {}): string =>
  `<path d="${d}" fill="${fill}"${attributes(extra)}/>`;

export const stroke = (d: string, color: string, width: number, extra: Attributes = {}): string =>
  `<path d="${d}" fill="none" stroke="${color}" stroke-width="${n(width)}"${attributes(extra)}/>`;

export const group = (content: string, extra: Attributes = {}): string => `<g${attributes(extra)}>${content}</g>`;

/** A path with straight lines through the points. */
export const polyline = (points: readonly Point[]): string =>
  points.map((p, i) => `${i === 0 ? 'M' : 'L'}${n(p.x)} ${n(p.y)}`).join('');

/** A path with a smooth curve through the points (Catmull-Rom as Béziers). */
export function smooth(points: readonly Point[], closed = false): string {
  const at = (i: number): Point => {
    const index = closed ? (i + points.length) % points.length : Math.min(points.length - 1, Math.max(0, i));
    return points[index] as Point;
  };
  let d = `M${n(at(0).x)} ${n(at(0).y)}`;
  for (let i = 0; i < (closed ? points.length : points.length - 1); i += 1) {
    const [p0, p1, p2, p3] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    d += `C${n(p1.x + (p2.x - p0.x) / 6)} ${n(p1.y + (p2.y - p0.y) / 6)} ${n(p2.x - (p3.x - p1.x) / 6)} ${n(p2.y - (p3.y - p1.y) / 6)} ${n(p2.x)} ${n(p2.y)}`;
  }
  return closed ? `${d}Z` : d;
}

export type Stop = readonly [offset: number, color: Hex, opacity?: number];

const stops = (list: readonly Stop[]): string =>
  list
    .map(
      ([offset, color, opacity]) =>
        `<stop offset="${n(offset * 100)}%" stop-color="${color}"${opacity === undefined ? '' : ` stop-opacity="${n(opacity * 100)}%"`}/>`,
    )
    .join('');

/** A gradient from top to bottom unless `extra` sets x1, y1, x2, y2. */
export const linear = (id: string, list: readonly Stop[], extra: Attributes = {}): string =>
  `<linearGradient id="${id}"${attributes({ x1: 0, y1: 0, x2: 0, y2: 1, ...extra })}>${stops(list)}</linearGradient>`;

export const radial = (id: string, list: readonly Stop[], extra: Attributes = {}): string =>
  `<radialGradient id="${id}"${attributes(extra)}>${stops(list)}</radialGradient>`;

export const blur = (id: string, x: number, y = x): string =>
  `<filter id="${id}" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="${n(x)} ${n(y)}"/></filter>`;

/**
 * The content above its own soft shadow, like cut paper on a sheet. The shadow consists of shifted copies: a blur
 * filter per piece is twenty times as slow.
 */
export function raised(content: string): string {
  const dark = content
    .replace(/ fill="#[0-9a-f]+"/g, ' fill="#000"')
    .replace(/ stroke="#[0-9a-f]+"/g, ' stroke="#000"');
  const shadow = dark
    .replace(/ fill="#000"/g, '$& fill-opacity=".075"')
    .replace(/ stroke="#000"/g, '$& stroke-opacity=".075"');
  return (
    [1, 2, 3, 4].map((step) => group(shadow, { transform: `translate(${n(step * 1.3)} ${n(step * 2.7)})` })).join('') +
    content
  );
}

export const clip = (id: string, shape: string): string => `<clipPath id="${id}">${shape}</clipPath>`;

/** A round light with a soft edge. `id` names its gradient and must be unique. */
export const glow = (id: string, x: number, y: number, r: number, color: Hex, opacity: number): string =>
  radial(id, [
    [0, color, opacity],
    [0.4, color, opacity * 0.4],
    [1, color, 0],
  ]) + circle(x, y, r, `url(#${id})`);

/** Falling snow in front of a picture. An edge shows the flakes on pale grounds too. */
export function snowfall({ height, random }: Pick<Board, 'height' | 'random'>): string {
  const edge = { stroke: '#24324d', 'stroke-width': 1.5, 'stroke-opacity': 0.22 };
  return Array.from({ length: Math.round(height / 7) }, () =>
    circle(random.next() * 1000, random.next() * height, random.between(3, 10), '#ffffff', {
      ...edge,
      'fill-opacity': random.between(0.75, 1),
    }),
  ).join('');
}

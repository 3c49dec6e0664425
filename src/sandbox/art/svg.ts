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

/** SVG elements from back to front. */
export type Drawing = string | readonly Drawing[];

/** Draws the content of an `<svg>` element. */
export type Painter = (board: Board) => Drawing;

/** The SVG text of a drawing. */
export const textOf = (drawing: Drawing): string =>
  typeof drawing === 'string' ? drawing : drawing.map(textOf).join('');

/** Draws, or makes another value, `count` times, with the indexes 0 to `count` - 1. */
export const repeat = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Formats a number for an attribute, rounded to a tenth of a unit. */
const n = (value: number): string => String(Math.round(value * 10) / 10);

/** A piece of SVG text, such as path data. Its numbers are rounded to a tenth of a unit. */
export const svg = (parts: TemplateStringsArray, ...values: readonly (number | Drawing)[]): string =>
  parts.reduce((text, part, index) => {
    const value = values[index - 1] ?? '';
    return text + (typeof value === 'number' ? n(value) : textOf(value)) + part;
  });

export type Attributes = Readonly<Record<string, string | number | undefined>>;

const attributes = (extra: Attributes): string =>
  Object.entries(extra)
    .map(([name, value]) =>
      value === undefined ? '' : ` ${name}="${typeof value === 'number' ? Math.round(value * 1000) / 1000 : value}"`,
    )
    .join('');

export const rect = (x: number, y: number, w: number, h: number, fill: string, extra: Attributes = {}): string =>
  svg`<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${fill}"${attributes(extra)}/>`;

export const circle = (x: number, y: number, r: number, fill: string, extra: Attributes = {}): string =>
  svg`<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"${attributes(extra)}/>`;

export const ellipse = (x: number, y: number, rx: number, ry: number, fill: string, extra: Attributes = {}): string =>
  svg`<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}"${attributes(extra)}/>`;

export const path = (d: string, fill: string, extra: Attributes = {}): string =>
  `<path d="${d}" fill="${fill}"${attributes(extra)}/>`;

export const stroke = (d: string, color: string, width: number, extra: Attributes = {}): string =>
  svg`<path d="${d}" fill="none" stroke="${color}" stroke-width="${width}"${attributes(extra)}/>`;

export const group = (content: Drawing, extra: Attributes = {}): string =>
  `<g${attributes(extra)}>${textOf(content)}</g>`;

/** Strokes with round ends. */
export const ROUND_ENDS: Attributes = { 'stroke-linecap': 'round' };

/** Strokes with round ends and corners. */
export const ROUND: Attributes = { ...ROUND_ENDS, 'stroke-linejoin': 'round' };

/** Moves an element from the origin to (x, y). It is first scaled, then turned around the origin. */
export const at = (x: number, y: number, degrees = 0, scale = 1, scaleY = scale): Attributes => ({
  transform: svg`translate(${x} ${y}) rotate(${degrees}) scale(${scale.toFixed(4)} ${scaleY.toFixed(4)})`,
});

/** Turns an element around (x, y). */
export const turned = (degrees: number, x = 0, y = 0): Attributes => ({
  transform: svg`rotate(${degrees} ${x} ${y})`,
});

/** The point at a distance from (x, y), by its angle in radians. */
export const around = (x: number, y: number, radius: number, angle: number): Point => ({
  x: x + Math.cos(angle) * radius,
  y: y + Math.sin(angle) * radius,
});

/** A path with straight lines through the points. */
export const polyline = (points: readonly Point[]): string =>
  textOf(points.map(({ x, y }, i) => (i === 0 ? svg`M${x} ${y}` : svg`L${x} ${y}`)));

/** The colours of a gradient, some with an opacity, by their places in percent. */
export type Stops = Readonly<Record<number, Hex | readonly [color: Hex, opacity: number]>>;

const stops = (places: Stops): Drawing =>
  Object.entries(places).map(([percent, stop]) => {
    const [color, opacity] = typeof stop === 'string' ? [stop, 1] : stop;
    return svg`<stop offset="${percent}%" stop-color="${color}" stop-opacity="${opacity * 100}%"/>`;
  });

/** A gradient from top to bottom unless `extra` sets x1, y1, x2, y2. */
export const linear = (id: string, places: Stops, extra: Attributes = {}): string =>
  svg`<linearGradient id="${id}"${attributes({ x1: 0, y1: 0, x2: 0, y2: 1, ...extra })}>${stops(places)}</linearGradient>`;

/** The board between two levels, in the colours of a gradient. `id` names the gradient and must be unique. */
export const wash = (id: string, top: number, bottom: number, places: Stops, extra: Attributes = {}): string =>
  linear(id, places, extra) + rect(0, top, 1000, bottom - top, `url(#${id})`);

export const radial = (id: string, places: Stops, extra: Attributes = {}): string =>
  svg`<radialGradient id="${id}"${attributes(extra)}>${stops(places)}</radialGradient>`;

export const blur = (id: string, x: number, y = x): string =>
  svg`<filter id="${id}" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="${x} ${y}"/></filter>`;

/**
 * The content above its own soft shadow, like cut paper on a sheet. The shadow consists of shifted copies: a blur
 * filter per piece is twenty times as slow.
 */
export function raised(drawing: Drawing): string {
  const content = textOf(drawing);
  const shadow = content.replace(/ (fill|stroke)="#[0-9a-f]+"/g, ' $1="#000" $1-opacity=".075"');
  const copies = [1, 2, 3, 4].map((step) => group(shadow, at(step * 1.3, step * 2.7)));
  return textOf(copies) + content;
}

/** The part of the content that is inside the shape. `id` must be unique. */
export const clipped = (id: string, shape: string, content: Drawing, extra: Attributes = {}): string =>
  `<clipPath id="${id}">${shape}</clipPath>${group(content, { 'clip-path': `url(#${id})`, ...extra })}`;

/**
 * A picture above the level `shore`, and its reflection below, with `water` in front of it. `ripple` is the blur of the
 * reflection in units, across and down.
 */
export function reflected(above: string, shore: number, height: number, ripple: string, water: Drawing): Drawing {
  const depth = height - shore;
  // The region of the filter is the visible water, in the coordinates of the mirror: blurring more would be slow.
  const region = svg`filterUnits="userSpaceOnUse" x="0" y="${shore - depth - 30}" width="1000" height="${depth + 60}"`;
  const mirror = { transform: svg`translate(0 ${2 * shore}) scale(1 -1)`, filter: 'url(#ripple)' };
  return [
    `<filter id="ripple" ${region}><feGaussianBlur stdDeviation="${ripple}"/></filter>`,
    clipped('air', svg`<rect width="1000" height="${shore}"/>`, above),
    clipped('water', svg`<rect y="${shore}" width="1000" height="${depth}"/>`, [group(above, mirror), water]),
  ];
}

/** A round light with a soft edge. `id` names its gradient and must be unique. */
export const glow = (id: string, x: number, y: number, r: number, color: Hex, opacity: number): string =>
  radial(id, { 0: [color, opacity], 40: [color, opacity * 0.4], 100: [color, 0] }) + circle(x, y, r, `url(#${id})`);

/** Falling snow in front of a picture. An edge shows the flakes on pale grounds too. */
export function snowfall({ height, random }: Pick<Board, 'height' | 'random'>): Drawing {
  const edge = { stroke: '#24324d', 'stroke-width': 1.5, 'stroke-opacity': 0.22 };
  return repeat(Math.round(height / 7), () =>
    circle(random.next() * 1000, random.next() * height, random.between(3, 10), '#ffffff', {
      ...edge,
      'fill-opacity': random.between(0.75, 1),
    }),
  );
}

/** Slanting rain in front of a picture. */
export const rainfall = ({ height, random }: Board, count: number, color: Hex): Drawing =>
  repeat(count, () => {
    const { x, y } = random.point(0, 1100, 0, height);
    const length = random.between(20, 75);
    const opacity = random.between(0.14, 0.42);
    return stroke(svg`M${x} ${y}l${-length * 0.2} ${length}`, color, 1.5, { 'stroke-opacity': opacity });
  });

import { type Random } from './random.js';
import { polyline, svg, type Point } from './svg.js';

/** Midpoint displacement: doubles the number of points until there are at least `count`. */
function displace(
  random: Random,
  start: readonly number[],
  count: number,
  spread: number,
  roughness: number,
): number[] {
  if (start.length >= count) return [...start];
  const values = start.flatMap((value, i) => {
    const following = start[i + 1];
    return following === undefined ? [value] : [value, (value + following) / 2 + random.between(-0.5, 0.5) * spread];
  });
  return displace(random, values, count, spread * roughness, roughness);
}

/** Heights along a rugged line: 129 numbers around 0. A `roughness` of 0.4 is soft, 0.6 is jagged. */
export function fractalLine(random: Random, amplitude: number, roughness: number): number[] {
  const start = [0, 1, 2].map(() => random.between(-0.5, 0.5) * amplitude);
  return displace(random, start, 129, amplitude * 0.9, roughness);
}

/** A closed, ragged outline around (x, y), like that of an island. */
export function fractalBlob(random: Random, x: number, y: number, rx: number, ry: number, roughness = 0.55): string {
  const [first = 1, ...others] = [1, 1, 1, 1].map((v) => v + random.between(-0.3, 0.3));
  // The outline ends where it begins.
  const radii = displace(random, [first, ...others, first], 64, 0.7, roughness).slice(0, -1);
  const points = radii.map((radius, i): Point => {
    const angle = (i / radii.length) * Math.PI * 2;
    const reach = Math.max(0.2, radius);
    return { x: x + Math.cos(angle) * rx * reach, y: y + Math.sin(angle) * ry * reach };
  });
  return `${polyline(points)}Z`;
}

/** Spreads heights evenly from `left` to `right`, around the level `y`. */
export const across = (heights: readonly number[], left: number, right: number, y: number): Point[] =>
  heights.map((height, i) => ({ x: left + ((right - left) * i) / (heights.length - 1), y: y + height }));

/** The area between a line from `left` to `right` and the level `bottom`. */
export const below = (line: string, left: number, right: number, bottom: number): string =>
  svg`${line}L${right} ${bottom}L${left} ${bottom}Z`;

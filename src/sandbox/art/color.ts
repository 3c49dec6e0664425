/** An sRGB colour as `#rrggbb`. */
export type Hex = string;

function channels(color: Hex): [number, number, number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function toHex(rgb: readonly number[]): Hex {
  const bytes = rgb.map((v) => Math.round(Math.min(255, Math.max(0, v))));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Interpolates from `a` (t = 0) to `b` (t = 1). */
export function mix(a: Hex, b: Hex, t: number): Hex {
  const x = channels(a);
  const y = channels(b);
  return toHex(x.map((v, i) => v + ((y[i] ?? 0) - v) * t));
}

export const darken = (color: Hex, t: number): Hex => mix(color, '#000000', t);
export const lighten = (color: Hex, t: number): Hex => mix(color, '#ffffff', t);

/**
 * Perceived brightness, 0 to 1. Rec. 709 weights on gamma-encoded values, which is precise enough to pick a contrast.
 */
export function brightness(color: Hex): number {
  const [r, g, b] = channels(color);
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}

function oklchToLinear(l: number, c: number, h: number): [number, number, number] {
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const l3 = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m3 = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s3 = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3,
    -1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3,
    -0.0041960863 * l3 - 0.7034186147 * m3 + 1.707614701 * s3,
  ];
}

/**
 * A colour by lightness (0 to 1), chroma (0 to about 0.3) and hue (degrees) in OKLCH, a perceptually uniform space.
 * Chroma outside sRGB is lowered until the colour fits.
 */
export function oklch(lightness: number, chroma: number, hue: number): Hex {
  let linear = oklchToLinear(lightness, chroma, hue);
  for (let c = chroma; c > 0 && linear.some((v) => v < -0.001 || v > 1.001); c -= 0.01) {
    linear = oklchToLinear(lightness, c, hue);
  }
  return toHex(linear.map((v) => 255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055)));
}

/** Like `oklch`, but shifts dark yellows and greens towards brown-red, because a dark yellow looks muddy. */
export function rich(lightness: number, chroma: number, hue: number): Hex {
  const muddy = hue > 62 && hue < 128 && lightness < 0.66;
  return oklch(lightness, chroma, muddy ? hue + (46 - hue) * Math.min(1, (0.66 - lightness) / 0.2) : hue);
}

/** The shapes of an image. The fan chooses one; the first is the default. */
export const ASPECT_RATIOS = ['square', 'portrait', 'landscape'] as const;

export type AspectRatio = (typeof ASPECT_RATIOS)[number];

/** The shape of images that were started without a choice. */
export const DEFAULT_ASPECT_RATIO: AspectRatio = 'square';

/** A shape as image models know it: its ratio of width to height, and the size (pixels) that they draw for it. */
export interface DrawnShape {
  readonly ratio: '1:1' | '2:3' | '3:2';
  readonly width: number;
  readonly height: number;
}

/** Sizes of about a megapixel in steps of 64 pixels, as Flux and SDXL draw them. They are not exactly the ratio. */
export const DRAWN_SHAPES: Readonly<Record<AspectRatio, DrawnShape>> = {
  square: { ratio: '1:1', width: 1024, height: 1024 },
  portrait: { ratio: '2:3', width: 832, height: 1216 },
  landscape: { ratio: '3:2', width: 1216, height: 832 },
};

/** Whether a value from outside is the name of a shape. */
export function isAspectRatio(value: unknown): value is AspectRatio {
  return (ASPECT_RATIOS as readonly unknown[]).includes(value);
}

/** The package has no types of its own. */
declare module 'subset-font' {
  /** A value of an axis to keep, or the part of its range. */
  type Axis = number | { readonly min: number; readonly max: number };

  /** Cuts a font to the glyphs of a text, and to these values of its axes. */
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: { readonly targetFormat: 'woff2'; readonly variationAxes: Readonly<Record<string, Axis>> },
  ): Promise<Buffer>;
}

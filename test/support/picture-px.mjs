/**
 * Pixels of the longer side of pictures in tests. A picture of 1024 takes ten times the processor time to draw and
 * encode. A quarter of 1216 and 832 is whole, so the pictures keep the shape that was asked for.
 */
export const PICTURE_PX = 304;

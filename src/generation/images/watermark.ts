/** "Fanvas" in the display face (Special Gothic, condensed, semibold), as outlines: no font is needed to draw it. */
const WORDMARK =
  'M4.2 0L4.2 -71L37.4 -71L37.4 -60.2L14.9 -60.2L17.1 -63.2L17.1 0ZM13.2 -29.5L13.2 -39.7L36.2 -39.7L36.2 -29.5ZM63 0L62 -9.2L61.8 -9.2L61.8 -36.7Q61.8 -40.1 60.5 -41.3Q59.1 -42.6 57 -42.6Q54.5 -42.6 53.2 -40.8Q51.8 -39.1 51.4 -34.7L39.8 -36Q40.3 -41.1 42.4 -44.7Q44.5 -48.4 48.3 -50.3Q52.1 -52.3 57.6 -52.3Q66 -52.3 70.2 -47.9Q74.4 -43.6 74.4 -34.9L74.4 -12.9Q74.4 -11.3 74.4 -9.6Q74.4 -7.9 74.6 -5.7Q74.7 -3.5 74.8 0ZM51.6 0.9Q47.7 0.9 44.9 -0.7Q42.1 -2.4 40.7 -5.6Q39.2 -8.8 39.2 -13.1Q39.2 -17.7 40.8 -20.7Q42.4 -23.8 45.5 -25.8Q48.6 -27.9 52.8 -29.4L63 -33.1L63 -25.2L57.4 -22.7Q54.8 -21.5 53.2 -19.6Q51.5 -17.8 51.5 -14.2Q51.5 -10.7 52.8 -9.3Q54.1 -7.9 56.4 -7.9Q58 -7.9 59.2 -8.6Q60.4 -9.4 61.1 -10.7Q61.8 -12 61.8 -13.8L64.2 -11.9Q63.8 -7.4 62.1 -4.6Q60.3 -1.8 57.7 -0.4Q55 0.9 51.6 0.9ZM104.5 0L104.5 -35.4Q104.5 -39.2 103.3 -40.7Q102.1 -42.3 99.8 -42.3Q98.4 -42.3 97.1 -41.7Q95.9 -41.1 95.2 -39.5Q94.5 -38 94.5 -35.3L92.6 -39.2Q93.4 -43.8 95.4 -46.6Q97.4 -49.5 100 -50.9Q102.7 -52.3 105.6 -52.3Q108.2 -52.3 110.3 -51.4Q112.5 -50.5 114 -48.7Q115.5 -46.9 116.3 -44.2Q117.1 -41.5 117.1 -37.9L117.1 0ZM81.9 0L81.9 -51.1L94.4 -51.1L94.4 -41.2L94.5 -40.7L94.5 0ZM132.7 0L120.4 -51.1L133.2 -51.1L141.1 -8.9L139.9 -8.9L147.7 -51.1L160 -51.1L147.8 0ZM184.8 0L183.8 -9.2L183.6 -9.2L183.6 -36.7Q183.6 -40.1 182.3 -41.3Q180.9 -42.6 178.8 -42.6Q176.3 -42.6 175 -40.8Q173.6 -39.1 173.2 -34.7L161.6 -36Q162.1 -41.1 164.2 -44.7Q166.3 -48.4 170.1 -50.3Q173.9 -52.3 179.4 -52.3Q187.8 -52.3 192 -47.9Q196.2 -43.6 196.2 -34.9L196.2 -12.9Q196.2 -11.3 196.2 -9.6Q196.2 -7.9 196.4 -5.7Q196.5 -3.5 196.6 0ZM173.4 0.9Q169.5 0.9 166.7 -0.7Q163.9 -2.4 162.5 -5.6Q161 -8.8 161 -13.1Q161 -17.7 162.6 -20.7Q164.2 -23.8 167.3 -25.8Q170.4 -27.9 174.6 -29.4L184.8 -33.1L184.8 -25.2L179.2 -22.7Q176.6 -21.5 175 -19.6Q173.3 -17.8 173.3 -14.2Q173.3 -10.7 174.6 -9.3Q175.9 -7.9 178.2 -7.9Q179.8 -7.9 181 -8.6Q182.2 -9.4 182.9 -10.7Q183.6 -12 183.6 -13.8L186 -11.9Q185.6 -7.4 183.9 -4.6Q182.1 -1.8 179.5 -0.4Q176.8 0.9 173.4 0.9ZM218.8 1.2Q212.6 1.2 208.9 -1.1Q205.1 -3.4 203.3 -7.4Q201.5 -11.4 201.5 -16.5L212.1 -16.8Q212.2 -13.8 213 -11.8Q213.8 -9.8 215.3 -8.9Q216.8 -8 218.8 -8Q221.5 -8 222.9 -9.4Q224.2 -10.8 224.2 -13Q224.2 -15.5 222.5 -17Q220.8 -18.5 218 -19.9L213.6 -22.2Q209.9 -24.1 207.5 -26.4Q205 -28.8 203.8 -31.6Q202.6 -34.5 202.6 -37.9Q202.6 -42.4 204.7 -45.6Q206.8 -48.8 210.4 -50.5Q214 -52.3 218.5 -52.3Q224.3 -52.3 227.9 -50.2Q231.5 -48.1 233.2 -44.3Q234.9 -40.5 234.9 -35.3L224.1 -35Q224.1 -39.5 222.6 -41.3Q221.1 -43.1 218.6 -43.1Q216.2 -43.1 215 -41.8Q213.7 -40.6 213.7 -38.7Q213.7 -36.5 215 -35.1Q216.2 -33.7 218.9 -32.1L224.7 -28.9Q228.1 -27.1 230.5 -25.1Q232.9 -23.1 234.2 -20.4Q235.5 -17.8 235.5 -13.9Q235.5 -9.3 233.6 -5.9Q231.6 -2.5 227.8 -0.6Q224 1.2 218.8 1.2Z';

/** The stamp and its letter F, in a coordinate system of 32 by 32. */
const STAMP = 'M9 2H23A7 7 0 0 1 30 9V23A7 7 0 0 1 23 30H9A7 7 0 0 1 2 23V9A7 7 0 0 1 9 2Z';
const STAMP_LETTER = 'M10.6 23.8 9 8.6l13-1.4.5 4-8.9 1 .3 2.6 6.8-.7.4 3.9-6.8.7.6 4.6z';

/** A mark before scaling: its size, its minimum width, and the share of the image's shorter side that it takes. */
interface Board {
  readonly width: number;
  readonly height: number;
  readonly share: number;
  readonly minWidth: number;
}

/** Stamp and wordmark. */
const FULL: Board = { width: 146, height: 44, share: 0.17, minWidth: 104 };
/** The stamp alone. */
const SMALL: Board = { width: 44, height: 44, share: 0.085, minWidth: 18 };
/** Below this shorter side (pixels) the wordmark is too small to read; only the stamp is drawn. */
const FULL_FROM = 512;
/** Distance of the mark from both edges as a share of the image's shorter side. */
const MARGIN_SHARE = 0.022;

/**
 * An SVG of the image's size with the mark in the lower right corner. The mark is white on a dark plate, which makes it
 * legible on images of any brightness. Thumbnails get the stamp without the word. It is small enough that the square in
 * the middle of a portrait or landscape, which lists show, cuts none of it in half.
 * @param width pixels
 * @param height pixels
 */
export function watermark(width: number, height: number): Buffer {
  const side = Math.min(width, height);
  const board = side < FULL_FROM ? SMALL : FULL;
  const scale = Math.max(board.minWidth, side * board.share) / board.width;
  const margin = side * MARGIN_SHARE;
  const x = width - margin - board.width * scale;
  const y = height - margin - board.height * scale;
  const plate = `<rect width="${board.width}" height="${board.height}" rx="12" fill="#0b0b0a" fill-opacity=".62"/>`;
  const stamp = `<path d="${STAMP}" fill="#fff" fill-opacity=".94"/><path d="${STAMP_LETTER}" fill="#0b0b0a" fill-opacity=".86"/>`;
  const word = `<path transform="translate(45 32.5) scale(.385)" d="${WORDMARK}" fill="#fff" fill-opacity=".94"/>`;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><g transform="translate(${x} ${y}) scale(${scale})">` +
      `${plate}<g transform="translate(6 6) rotate(-6 16 16)">${stamp}</g>${board === FULL ? word : ''}</g></svg>`,
  );
}

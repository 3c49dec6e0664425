import { paint } from './paint.js';
import { Random, seedOf } from './random.js';
import { bauhaus } from './styles/bauhaus.js';
import { botanic } from './styles/botanic.js';
import { city } from './styles/city.js';
import { flow } from './styles/flow.js';
import { glass } from './styles/glass.js';
import { landscape } from './styles/landscape.js';
import { planet } from './styles/planet.js';
import { portrait, portraitOf, type PortraitLooks } from './styles/portrait.js';
import { type Painter } from './svg.js';
import { readTheme } from './theme.js';

export { type PortraitLooks } from './styles/portrait.js';

const PAINTERS = { landscape, city, bauhaus, botanic, flow, portrait, planet, glass } satisfies Record<string, Painter>;

/** The name of a painter. */
export type ArtStyle = keyof typeof PAINTERS;

export const ART_STYLES = Object.keys(PAINTERS) as ArtStyle[];

export function isArtStyle(name: string): name is ArtStyle {
  return Object.hasOwn(PAINTERS, name);
}

export interface ArtRequest {
  readonly style: ArtStyle;
  /** Its words select palette, motif, time of day and weather. */
  readonly prompt: string;
  readonly seed: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Draws a picture as PNG. Equal requests give equal pictures. */
export async function renderArt({ style, prompt, seed, width, height }: ArtRequest): Promise<Buffer> {
  const random = new Random(seedOf(`${style}|${prompt.trim().toLowerCase()}|${seed}`));
  const boardHeight = (1000 * height) / width;
  const theme = readTheme(prompt, random);
  const content = PAINTERS[style]({ width: 1000, height: boardHeight, random, theme });
  return paint(content, boardHeight, width, height);
}

export interface CreatorPortraits {
  /** 4:5, PNG, 1024 by 1280. */
  readonly tall: Buffer;
  /** Square crop around the head, PNG, 640 by 640. */
  readonly square: Buffer;
}

/** Draws a creator's portrait. Equal names and looks give equal portraits. */
export async function renderPortrait(name: string, looks: PortraitLooks): Promise<CreatorPortraits> {
  const draw = async (crop: 'tall' | 'square', width: number, height: number): Promise<Buffer> => {
    const boardHeight = (1000 * height) / width;
    const content = portraitOf(looks, new Random(seedOf(`portrait|${name}`)), crop, boardHeight);
    return paint(content, boardHeight, width, height);
  };
  return { tall: await draw('tall', 1024, 1280), square: await draw('square', 640, 640) };
}

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
import { drawSubjects, subjectsOf } from './subjects/index.js';
import { type Painter, snowfall, textOf } from './svg.js';
import { readTheme, type Theme } from './theme.js';

export { type PortraitLooks } from './styles/portrait.js';

const PAINTERS = { landscape, city, bauhaus, botanic, flow, portrait, planet, glass } satisfies Record<string, Painter>;

/** Height of a portrait of 4:5: pixels, and units of its board. */
const PORTRAIT_HEIGHT = 1280;
const PORTRAIT_BOARD_HEIGHT = 1250;

/** The name of a painter. */
export type ArtStyle = keyof typeof PAINTERS;

/** All styles in which the sandbox draws. */
export const ART_STYLES = Object.keys(PAINTERS) as ArtStyle[];

/** Whether the sandbox draws in a style of this name. */
export function isArtStyle(name: string): name is ArtStyle {
  return Object.hasOwn(PAINTERS, name);
}

/** The same request draws the same picture. */
export interface ArtRequest {
  readonly style: ArtStyle;
  /** Its words select palette, subject, motif, time of day and weather. */
  readonly prompt: string;
  readonly seed: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * Draws a picture as PNG. Equal requests give equal pictures.
 * @param longest pixels of the longer side at most: a larger picture is drawn smaller
 */
export async function renderArt(request: ArtRequest, longest = Infinity): Promise<Buffer> {
  const { width, height } = request;
  const scale = Math.min(1, longest / Math.max(width, height));
  return paint(drawArt(request), (1000 * height) / width, Math.round(width * scale), Math.round(height * scale));
}

/** The content of the `<svg>` element of a picture. */
export function drawArt({ style, prompt, seed, width, height }: ArtRequest): string {
  const random = new Random(seedOf(`${style}|${prompt.trim().toLowerCase()}|${seed}`));
  const boardHeight = (1000 * height) / width;
  const theme = readTheme(prompt, random);
  const board = { width: 1000, height: boardHeight, random, theme } as const;
  const scene = PAINTERS[style](board);
  const named = subjectsOf(theme).filter(({ subject }) => !SCENERY[style].includes(subject.name));
  const subjects = drawSubjects(board, named, style === 'portrait' && namesPerson(theme));
  const snow = theme.weather === 'snow' ? snowfall(board) : '';
  return textOf([scene, subjects, snow]);
}

/** Subjects that a style's own scenes draw when a prompt names them. */
const SCENERY: Readonly<Record<ArtStyle, readonly string[]>> = {
  landscape: ['mountain', 'moon', 'pine', 'boat'],
  city: ['moon', 'house', 'bridge', 'train', 'bus'],
  bauhaus: [],
  botanic: ['leaf', 'sunflower'],
  flow: [],
  portrait: [],
  planet: ['moon', 'star'],
  glass: ['icecream'],
};

const PERSON =
  /^((wo)?m[ae]n|girl|boy|lady|person|people|sister|brother|mother|father|grand(mother|father)|queen|king|singer|sailor|keeper|stranger|friend|pianist|cellist|dancer|portrait)s?$/;

const namesPerson = ({ words }: Theme): boolean => words.some((word) => PERSON.test(word));

/** Draws the portrait of a creator who does not exist: a PNG of 4:5. Equal names and looks give equal portraits. */
export async function renderPortrait(name: string, looks: PortraitLooks, longest = PORTRAIT_HEIGHT): Promise<Buffer> {
  const content = portraitOf(looks, new Random(seedOf(`portrait|${name}`)), PORTRAIT_BOARD_HEIGHT);
  const height = Math.min(longest, PORTRAIT_HEIGHT);
  return paint(textOf(content), PORTRAIT_BOARD_HEIGHT, Math.round(height * 0.8), height);
}

import { paint } from './paint.js';
import { Random, seedOf } from './random.js';
import { bauhaus } from './styles/bauhaus.js';
import { botanic } from './styles/botanic.js';
import { city } from './styles/city.js';
import { flow } from './styles/flow.js';
import { glass } from './styles/glass.js';
import { landscape } from './styles/landscape.js';
import { planet } from './styles/planet.js';
import { type Crop, portrait, portraitOf, type PortraitLooks } from './styles/portrait.js';
import { drawSubjects, subjectsOf } from './subjects/index.js';
import { type Painter, snowfall, textOf } from './svg.js';
import { readTheme, type Theme } from './theme.js';

export { type PortraitLooks } from './styles/portrait.js';

const PAINTERS = { landscape, city, bauhaus, botanic, flow, portrait, planet, glass } satisfies Record<string, Painter>;

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

/** Draws a picture as PNG. Equal requests give equal pictures. */
export async function renderArt(request: ArtRequest): Promise<Buffer> {
  const { width, height } = request;
  return paint(drawArt(request), (1000 * height) / width, width, height);
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

/** Pictures of a creator of the demo, who does not exist. */
export interface CreatorPortraits {
  /** 4:5, PNG, 1024 by 1280. */
  readonly tall: Buffer;
  /** Square crop around the head, PNG, 640 by 640. */
  readonly square: Buffer;
}

/** Draws a creator's portrait. Equal names and looks give equal portraits. */
export async function renderPortrait(name: string, looks: PortraitLooks): Promise<CreatorPortraits> {
  const draw = async (crop: Crop, width: number, height: number): Promise<Buffer> => {
    const boardHeight = (1000 * height) / width;
    const content = portraitOf(looks, new Random(seedOf(`portrait|${name}`)), crop, boardHeight);
    return paint(textOf(content), boardHeight, width, height);
  };
  return { tall: await draw('tall', 1024, 1280), square: await draw('square', 640, 640) };
}

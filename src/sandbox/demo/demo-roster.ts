import { type ArtStyle, type PortraitLooks } from '../art/index.js';

/** The data from which a demo creator is made. */
interface Draft {
  readonly name: string;
  readonly username: string;
  /** One line, for cards. */
  readonly tagline: string;
  /** Follows the tagline on the creator's own page. */
  readonly more: string;
  /** The style's name on cards. */
  readonly styleLabel: string;
  readonly artStyle: ArtStyle;
  readonly portrait: PortraitLooks;
  /** Prompts of the gallery's pictures, in the gallery's order. */
  readonly galleryPrompts: readonly string[];
  readonly twitter?: true;
  readonly onlyfans?: true;
}

/** A creator of the demo, with all data that the seed needs. */
export type DemoCreator = Readonly<ReturnType<typeof creator>>;

function creator({ more, twitter, onlyfans, ...draft }: Draft) {
  const { username, tagline, artStyle } = draft;
  return {
    ...draft,
    email: `${username}@fanvas.test`,
    instagram: `@${username}`,
    twitter: twitter ? `@${username}` : null,
    onlyfans: onlyfans ? username : null,
    bio: `${tagline} ${more}`,
    /** Its last part is the art style: the Replicate sandbox selects the painter by it. */
    deploymentName: `fanvas-demo/${artStyle}`,
  };
}

/** The demo creators, in the home page's order. */
export const DEMO_CREATORS: readonly DemoCreator[] = [
  creator({
    name: 'Juno Abara',
    username: 'junoabara',
    tagline: 'Circles first, questions later.',
    more: 'Prints you could hang in a station.',
    styleLabel: 'Geometric prints',
    artStyle: 'bauhaus',
    twitter: true,
    onlyfans: true,
    portrait: { palette: 0, hair: 2, accessory: 2 },
    galleryPrompts: [
      'night bus through gold city',
      'paper tigers on fire',
      'a brass band in the rain',
      'saturday market, seen from above',
      'ocean radio, late',
      'sunset over a swimming pool',
      'the sea, timetabled',
      'fire drill at the opera',
      'rose quartz chess problem',
    ],
  }),
  creator({
    name: 'Rafa Quill',
    username: 'rafaquill',
    tagline: 'Small planets, big weather.',
    more: 'I paint the places your radio would reach if you left it on long enough.',
    styleLabel: 'Painted worlds',
    artStyle: 'planet',
    twitter: true,
    portrait: { palette: 3, hair: 7, accessory: 1 },
    galleryPrompts: [
      'the ring season begins',
      'small planet, big weather',
      'postcard from a warm moon',
      'copper giant at dusk',
      'quiet orbit',
      'two moons and a promise',
      'the last garden before the void',
      'comet over the night school',
      'a family of seven moons',
    ],
  }),
  creator({
    name: 'Teo Lumen',
    username: 'teolumen',
    tagline: 'Cities that only exist after midnight.',
    more: 'No daylight was harmed in the making of these streets.',
    styleLabel: 'Neon nocturnes',
    artStyle: 'city',
    twitter: true,
    portrait: { palette: 5, hair: 4, accessory: 3 },
    galleryPrompts: [
      'harbour district, 3 a.m., rain',
      'last tram past the towers',
      'rooftops, blue hour',
      'everyone awake on the ninth floor',
      'the long bridge home',
      'a city that only exists in August',
      'signal lights over wet asphalt',
      'district nine from the ferry',
      'washing lines above the neon market',
    ],
  }),
  creator({
    name: 'Wren Castellane',
    username: 'wrencast',
    tagline: 'Pressed flowers, cut from paper, bigger than you.',
    more: 'Scissors, eight sheets, no undo.',
    styleLabel: 'Cut-paper botanicals',
    artStyle: 'botanic',
    portrait: { palette: 2, hair: 3, accessory: 1 },
    galleryPrompts: [
      'poppies for a long letter',
      'the garden behind the cinema',
      'late dahlias',
      'six stems for my grandmother',
      'greenhouse, half asleep',
      'meadow pressed in a dictionary',
      'a bouquet nobody ordered',
      'night school for tulips',
      'winter crown with a moth',
    ],
  }),
  creator({
    name: 'Kit Hanamori',
    username: 'kithanamori',
    tagline: 'Wind, water, one brush and a steady hand.',
    more: 'Everything here was moving when I drew it.',
    styleLabel: 'Ink currents',
    artStyle: 'flow',
    portrait: { palette: 6, hair: 0, accessory: 0 },
    galleryPrompts: [
      'ocean current, drawn from memory',
      'gold thread',
      'sunset murmuration',
      'wind over a rice field at night',
      'rose smoke',
      'winter breath',
      'the eye of a small storm',
      'reeds before the rain',
      'two whirlpools, introduced',
    ],
  }),
  creator({
    name: 'Odile Marsh',
    username: 'odilemarsh',
    tagline: 'Portraits of people I have only dreamt.',
    more: 'If you recognise yourself, tell me how it ends.',
    styleLabel: 'Split-light portraits',
    artStyle: 'portrait',
    twitter: true,
    onlyfans: true,
    portrait: { palette: 1, hair: 5, accessory: 4 },
    galleryPrompts: [
      'the cellist on platform two',
      'someone I met in a dream',
      'woman who forgot the ending',
      'the understudy',
      'a man waiting for good news',
      'sister, not mine',
      'the lighthouse keeper, off duty',
      'queen of the garden party',
      'two brothers, one secret',
    ],
  }),
  creator({
    name: 'Mara Solveig',
    username: 'marasolveig',
    tagline: 'First light, long roads, nobody for miles.',
    more: 'I walk until the phone loses signal, then I look up.',
    styleLabel: 'Layered ridgelines',
    artStyle: 'landscape',
    portrait: { palette: 4, hair: 1, accessory: 2 },
    galleryPrompts: [
      'golden hour, desert road to nowhere',
      'winter ridge before snow',
      'ocean cliffs in fog',
      'desert sunrise over salt flats',
      'rose plateau, first light',
      'night hills under a cold moon',
      'a boat on the still lake',
      'forest road after rain',
      'violet dusk over the vineyard rows',
    ],
  }),
  creator({
    name: 'Bibi Thorne',
    username: 'bibithorne',
    tagline: 'Hard candy, soft light, nothing serious.',
    more: 'Please do not lick the screen.',
    styleLabel: 'Glass and sugar',
    artStyle: 'glass',
    onlyfans: true,
    portrait: { palette: 7, hair: 6, accessory: 4 },
    galleryPrompts: [
      'boiled sweets on a windowsill',
      'lemonade physics',
      'bubblegum planets',
      'slow jam',
      'hard candy, soft light',
      'sugar for the moon',
      'three popsicles in a heatwave',
      'jelly tower, birthday minus one',
      'a ribbon of cherry taffy',
    ],
  }),
];

/** The demo account `creator@fanvas.test` signs in as this creator. */
export const DEMO_CREATOR_ACCOUNT = { email: 'creator@fanvas.test', username: 'junoabara' } as const;

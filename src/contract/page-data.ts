import { type GalleryItem, type PublicCreator } from './gallery.js';
import { type GenerationView } from './generation.js';

/** Public data that the server puts into a page that it draws. The same for every visitor. */
export interface PageData {
  /** All public creators. */
  readonly creators?: readonly PublicCreator[];
  /** The creator of the address; null when there is none. */
  readonly creator?: PublicCreator | null;
  /** The first page of that creator's gallery. */
  readonly gallery?: readonly GalleryItem[];
  /** The picture of the address, as visitors see it. */
  readonly generation?: GenerationView;
}

/** A page as the server draws it. All parts are HTML or CSS that is already escaped. */
export interface DrawnPage {
  /** The content of the element that React hydrates. It has no style attributes, which the policy refuses. */
  readonly html: string;
  /** Tags for the head that load the largest picture early. */
  readonly preloads: string;
  /** The style attributes of `html` as rules, in the order of their numbers: `[data-s="0"]` is the first. */
  readonly css: string;
}

/**
 * Draws the page at a path of our origin with the components of the browser. The web build exports it.
 * @throws when a component throws
 */
export type DrawPage = (page: {
  readonly path: string;
  readonly data: PageData;
  readonly origin: string;
}) => Promise<DrawnPage>;

/** Id of the element that holds the {@link PageData}, as JSON. */
export const PAGE_DATA_ID = 'fanvas-page';

/** Id of the style element that holds the CSS of a {@link DrawnPage}. */
export const PAGE_STYLES_ID = 'fanvas-styles';

/**
 * Cookie with which the browser says what its visitor does not need to see at first: the offer to sign up (`no-offer`),
 * and, after a sign-in, the sign-in links too (`known`). Never identifies anyone, and decides nothing else.
 */
export const VISITOR_COOKIE = 'fanvas.visitor';
export type VisitorHint = 'no-offer' | 'known';

import { type PageData } from '../contract/page-data.js';

/**
 * Channel on which the database announces what has changed on public pages. Triggers in the migrations of the contexts
 * send the names of {@link PublicPage}.
 */
export const CHANGED_PAGES = 'page_changed';

/** Announced when more has changed than one name can say. */
export const EVERYTHING_CHANGED = '*';

/** The page at an address, with public data only. */
export interface PublicPage {
  /**
   * Pages with the same key are the same, for ever: they are drawn once, at this address. All unknown addresses share
   * one. Null: the page of this address alone.
   */
  readonly sharedKey: string | null;
  /** Null: the page has the default head. */
  readonly head: PageHead | null;
  /** Null: only the browser draws it. */
  readonly data: PageData | null;
  /**
   * Names of what it shows: the page is outdated once one of them is announced. Null: it is looked up for each request.
   */
  readonly shows: readonly string[] | null;
}

/** Head of a page as the server writes it, for search engines and link previews, which do not run the page. */
export interface PageHead {
  readonly title: string;
  readonly description: string;
  /** Path of the page's own address. */
  readonly path: string;
  readonly type: 'website' | 'profile' | 'article';
  /** Image of a link preview, as JPEG because not all previews read WebP; `url` is a path on our origin. */
  readonly image?: { readonly url: string; readonly width: number; readonly height: number; readonly alt: string };
  /** Structured data (schema.org). */
  readonly structuredData?: object;
  /** Asks search engines not to list the page. */
  readonly unlisted?: boolean;
  /** Nothing exists at this address, or no longer: the page is sent with 404. */
  readonly notFound?: boolean;
}

/** The page that only the browser draws, with the default head. */
export const UNDRAWN_PAGE: PublicPage = { sharedKey: '#', head: null, data: null, shows: null };

/** Origins besides our own that pages may use, by kind of content. */
export interface PageSources {
  readonly scripts: readonly string[];
  readonly connections: readonly string[];
  readonly images: readonly string[];
  readonly frames: readonly string[];
  /** Style elements of others that carry no nonce, as hashes of their text: `'sha256-…'`. */
  readonly styles: readonly string[];
}

/** Head of a page as the server writes it, for search engines and link previews, which do not run the page. */
export interface PageHead {
  readonly title: string;
  readonly description: string;
  /** Path of the page's own address. */
  readonly path: string;
  readonly type: 'website' | 'profile' | 'article';
  /** Image of a link preview; `url` is a path on our origin. */
  readonly image?: { readonly url: string; readonly width: number; readonly height: number; readonly alt: string };
  /** Structured data (schema.org). */
  readonly structuredData?: object;
  /** Asks search engines not to list the page. */
  readonly unlisted?: boolean;
  /** Nothing exists at this address, or no longer: the page is sent with 404. */
  readonly notFound?: boolean;
}

/** Origins besides our own that pages may use, by kind of content. */
export interface PageSources {
  readonly scripts: readonly string[];
  readonly connections: readonly string[];
  readonly images: readonly string[];
  readonly frames: readonly string[];
  /** Style elements of others that carry no nonce, as hashes of their text: `'sha256-…'`. */
  readonly styles: readonly string[];
}

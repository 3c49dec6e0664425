import type { QueryClient } from '@tanstack/react-query';
import { PAGE_DATA_ID, PAGE_STYLES_ID, type PageData } from '../../../src/contract/page-data.js';
import {
  GALLERY_PAGE_SIZE,
  galleryPageQuery,
  galleryQuery,
  galleryTotal,
} from '../features/creators/api/get-gallery-generations.js';
import { publicCreatorQuery } from '../features/creators/api/get-public-creator-by-username.js';
import { publicCreatorsQuery } from '../features/creators/api/get-public-creators.js';
import { generationKey } from '../lib/generation-key.js';

/** The data of a page that the server has drawn; null for a page that only the browser draws. */
export function readPageData(): PageData | null {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent;
  return text ? (JSON.parse(text) as PageData) : null;
}

/** Puts the data of the page at this path where its components look for it. */
export function fillCache(
  client: QueryClient,
  path: string,
  { creators, creator, gallery, generation }: PageData,
): void {
  if (creators) client.setQueryData(publicCreatorsQuery.queryKey, [...creators]);
  if (creator !== undefined) {
    const username = decodeURIComponent(path.split('/')[1] ?? '');
    client.setQueryData(publicCreatorQuery(username).queryKey, creator);
  }
  if (creator && gallery) {
    client.setQueryData(galleryPageQuery(creator.id, 0).queryKey, [...gallery]);
    const complete = galleryTotal(gallery) <= GALLERY_PAGE_SIZE;
    if (complete) client.setQueryData(galleryQuery(creator.id).queryKey, [...gallery]);
  }
  if (generation) client.setQueryData(generationKey(generation.id), generation);
}

/**
 * Gives the elements that the server has drawn their style attributes. The policy of the page refuses attributes in the
 * HTML, so the server sends them as numbered rules.
 */
export function restoreStyles(root: HTMLElement): void {
  const rules = (document.getElementById(PAGE_STYLES_ID) as HTMLStyleElement | null)?.sheet?.cssRules;
  for (const element of root.querySelectorAll<HTMLElement>('[data-s]')) {
    const rule = rules?.[Number(element.dataset['s'])];
    if (rule instanceof CSSStyleRule) element.style.cssText = rule.style.cssText;
    element.removeAttribute('data-s');
  }
}

import { hasTrigram } from '../platform/database/like.js';

/** How a list of applications is searched. */
export interface ApplicationSearch {
  /** The lower-case term; empty without one. */
  readonly text: string;
  /** An index finds the term. Otherwise only the newest applications are searched. */
  readonly indexed: boolean;
}

/** Reads a search term: a part of a name, a username, a handle or an address. The case does not matter. */
export function readSearch(typed: string | null | undefined): ApplicationSearch {
  const text = (typed ?? '').replaceAll('\u0000', '').trim().toLowerCase();
  return { text, indexed: hasTrigram(text) };
}

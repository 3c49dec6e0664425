/** Shorter terms have no trigram, so no index finds them. */
const SHORTEST_INDEXED = 3;

/** How a list of applications is searched. */
export interface ApplicationSearch {
  /** A pattern for `like` on the lower-case text. Null without a term. */
  readonly pattern: string | null;
  /** The term is too short for the index: only the newest applications are searched. */
  readonly newestOnly: boolean;
}

/** Reads a search term: a part of a name, a username, a handle or an address. The case does not matter. */
export function readSearch(typed: string | null | undefined): ApplicationSearch {
  const term = (typed ?? '').replaceAll('\u0000', '').trim().toLowerCase();
  if (term === '') return { pattern: null, newestOnly: false };
  const escaped = term.replace(/[\\%_]/g, (character) => `\\${character}`);
  return { pattern: `%${escaped}%`, newestOnly: [...term].length < SHORTEST_INDEXED };
}

/** The other cleaning rules of the product (specification, section 5): tags, file names, identifiers. */

/** A tag, a comment, or the beginning of one at the end of the text. */
const TAG = /<[a-z/!?][^<>]*(?:>|$)/gi;

/** The text without HTML tags, also those that only appear when others are gone. */
export function stripTags(text: string): string {
  const without = text.replace(TAG, '');
  return without === text ? text : stripTags(without);
}

/** The same data with the HTML tags taken out of every text in it, at any depth; keys and other values stay. */
export function stripTagsOfFields(value: unknown): unknown {
  if (typeof value === 'string') return stripTags(value);
  if (Array.isArray(value)) return value.map(stripTagsOfFields);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, stripTagsOfFields(field)]));
}

/** The parameters of an address (`?a=b`), each value without HTML tags. */
export function urlParameters(search: string): URLSearchParams {
  return new URLSearchParams([...new URLSearchParams(search)].map(([key, value]) => [key, stripTags(value)]));
}

/** Keeps letters, digits, hyphen, underscore and dot: safe as the name of a file on every system. */
export function sanitiseFilename(name: string): string {
  return name.replace(/[^a-z0-9._-]/gi, '');
}

/** Keeps letters, digits, hyphen and underscore. */
export function sanitiseIdentifier(id: string): string {
  return id.replace(/[^a-z0-9_-]/gi, '');
}

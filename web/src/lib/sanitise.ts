/** Sanitising of tags, file names and identifiers (fan spec, section 5). */

/** A tag or comment, or an unfinished one at the end of the text. */
const TAG = /<[a-z/!?][^<>]*(?:>|$)/gi;

/** The text without HTML tags. Repeats until removing tags reveals no new ones. */
export function stripTags(text: string): string {
  const without = text.replace(TAG, '');
  return without === text ? text : stripTags(without);
}

/** A copy of the data without HTML tags in its strings, at any depth. Keys and other values stay. */
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

/** Keeps letters, digits, hyphen, underscore and dot: a safe file name on every system. */
export function sanitiseFilename(name: string): string {
  return name.replace(/[^a-z0-9._-]/gi, '');
}

/** Keeps letters, digits, hyphen and underscore. */
export function sanitiseIdentifier(id: string): string {
  return id.replace(/[^a-z0-9_-]/gi, '');
}

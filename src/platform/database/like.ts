/** A pattern of LIKE and ILIKE for texts that contain this text: `%` and `_` in it are letters. */
export function containing(text: string): string {
  return `%${literally(text)}%`;
}

/** A pattern of LIKE and ILIKE for texts that begin with this text. */
export function beginningWith(text: string): string {
  return `${literally(text)}%`;
}

function literally(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/**
 * Whether an index of trigrams finds texts that contain this one: it has three letters or digits in a row. The database
 * knows those of ASCII only. A search for another text reads the whole index.
 */
export function hasTrigram(text: string): boolean {
  return /[a-z0-9]{3}/i.test(text);
}

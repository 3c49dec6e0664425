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

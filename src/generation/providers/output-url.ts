const MAX_DEPTH = 5;

/**
 * The image's address in a prediction's output: the string itself, the first item of an array, a `url` field, or the
 * first http(s) address anywhere in it (fan spec, section 4, rule 3). Null when there is none.
 */
export function outputUrl(output: unknown): string | null {
  return find(output, 0);
}

function find(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return httpAddress(value);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return null;
  const preferred = 'url' in value ? find(value.url, depth + 1) : null;
  if (preferred !== null) return preferred;
  for (const item of Object.values(value)) {
    const found = find(item, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

/** Returns the address normalised by `URL`. It percent-encodes characters that the database refuses, such as NUL. */
function httpAddress(text: string): string | null {
  const trimmed = text.trim();
  return /^https?:\/\//i.test(trimmed) && URL.canParse(trimmed) ? new URL(trimmed).href : null;
}

const HERE = 'https://this-site.invalid';
const MAX_DECODES = 3;

/**
 * A path of this site that is safe to go to after signing in, or `fallback`. Refused are other origins in every disguise:
 * `//evil`, `/\evil`, `https://evil`, `javascript:`, user-info (`@`), control characters, and the encoded forms of these.
 * The sign-in pages themselves are refused too, since they would lead in a circle.
 */
export function safeRedirect(target: string | null | undefined, fallback = '/'): string {
  if (!target) return fallback;
  const asWritten = path(target);
  if (asWritten === null) return fallback;

  // What a second reader (a proxy, the identity SDK) might decode must be just as harmless.
  let reading = target;
  for (let round = 0; round < MAX_DECODES; round += 1) {
    const decoded = decode(reading);
    if (decoded === null) return fallback;
    if (decoded === reading) return asWritten;
    // Queries may carry anything encoded; only the path decides where the browser goes.
    reading = decoded.split(/[?#]/, 1)[0] ?? '';
    if (path(reading) === null) return fallback;
  }
  return decode(reading) === reading ? asWritten : fallback;
}

function path(text: string): string | null {
  const [route = ''] = text.split(/[?#]/, 1);
  if (!route.startsWith('/') || route.startsWith('//')) return null;
  if (/[\\@]/.test(route) || hasControlCharacter(text)) return null;
  if (!URL.canParse(text, HERE)) return null;
  const url = new URL(text, HERE);
  if (url.origin !== HERE || url.pathname.startsWith('//')) return null;
  if (/^\/(sign-in|sign-up|oauth)(\/|$)/i.test(url.pathname)) return null;
  return url.pathname + url.search + url.hash;
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((char) => char.charCodeAt(0) < 0x20 || char.charCodeAt(0) === 0x7f);
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null; // A malformed escape: nothing that we wrote.
  }
}

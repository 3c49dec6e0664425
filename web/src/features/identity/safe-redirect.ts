const HERE = 'https://this-site.invalid';
const MAX_DECODES = 3;

/**
 * The target if it is a path of this site that is safe to open after signing in, else `fallback`. Refuses other origins
 * in every form: `//evil`, `/\evil`, `https://evil`, `javascript:`, user-info (`@`), control characters, and their
 * encoded forms. Refuses the sign-in pages too, which would redirect in a circle.
 */
export function safeRedirect(target: string | null | undefined, fallback = '/'): string {
  if (!target) return fallback;
  const asWritten = path(target);
  if (asWritten === null) return fallback;

  // A proxy or the identity SDK may decode the path again: every decoded form must be safe, too.
  let reading = target;
  for (let round = 0; round < MAX_DECODES; round += 1) {
    const decoded = decode(reading);
    if (decoded === null) return fallback;
    if (decoded === reading) return asWritten;
    // Only the path decides where the browser goes; queries may contain anything.
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
    return null; // malformed escape
  }
}

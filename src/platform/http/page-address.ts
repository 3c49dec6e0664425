import { SERVER_SEGMENTS } from '../../contract/paths.js';

/**
 * The address of a request, for Fastify's `rewriteUrl`. A page's address that cannot be decoded, or contains a zero
 * byte, becomes one that is decoded to it: no page has it, so the page for unknown addresses answers.
 */
export function pageAddress({ url = '/' }: { readonly url?: string | undefined }): string {
  const [path = ''] = url.split('?', 1);
  if (SERVER_SEGMENTS.has(path.split('/')[1] ?? '')) return url;
  try {
    if (!decodeURIComponent(path).includes('\0')) return url;
  } catch {
    // a malformed escape
  }
  return path.replaceAll('%', '%25') + url.slice(path.length);
}

import { connectionError, refusalOf } from '../../lib/api.js';

/** Reads a public text of the site, such as a key or a checkpoint; null for 404. @throws ApiError */
export async function publicText(address: string, signal: AbortSignal): Promise<string | null> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(address, { signal });
    text = await response.text();
  } catch (error) {
    if (signal.aborted || !(error instanceof TypeError)) throw error;
    throw connectionError(error);
  }
  if (response.status === 404) return null;
  if (!response.ok) throw refusalOf(response, text);
  return text;
}

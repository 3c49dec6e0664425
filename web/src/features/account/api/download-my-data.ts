import { connectionError, refusalOf, withSession } from '../../../lib/api.js';
import { fileName, type DownloadedFile } from '../../../lib/download.js';

/**
 * Downloads everything that Fanvas keeps about the signed-in person, as a ZIP file.
 * @param onBytes is called with the number of bytes received so far
 * @throws ApiError also when the connection breaks midway; an abort is rethrown as it is
 */
export function downloadMyData(onBytes: (bytes: number) => void, signal: AbortSignal): Promise<DownloadedFile> {
  return withSession(async (token) => {
    const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
    try {
      const response = await fetch('/exports/my-data.zip', { headers, signal });
      if (!response.ok) throw refusalOf(response, await response.text());
      return { blob: await countedBlob(response, onBytes), name: fileName(response, 'fanvas-data.zip') };
    } catch (error) {
      // Browsers report every broken connection as a TypeError.
      if (signal.aborted || !(error instanceof TypeError)) throw error;
      throw connectionError(error);
    }
  });
}

/** The browser collects the parts, and keeps a large file on the disk. */
function countedBlob(response: Response, onBytes: (bytes: number) => void): Promise<Blob> {
  if (response.body === null) return response.blob();
  let bytes = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(part, controller) {
      bytes += part.byteLength;
      onBytes(bytes);
      controller.enqueue(part);
    },
  });
  const { headers } = response;
  return new Response(response.body.pipeThrough(counter), { headers }).blob();
}

import type { DownloadedFile } from '../../../lib/download.js';
import { downloadExport } from '../../../lib/download-export.js';

/**
 * Downloads everything that Fanvas keeps about the signed-in person, as a ZIP file.
 * @param onBytes is called with the number of bytes received so far
 * @throws ApiError also when the connection breaks midway; an abort is rethrown as it is
 */
export function downloadMyData(onBytes: (bytes: number) => void, signal: AbortSignal): Promise<DownloadedFile> {
  return downloadExport('/exports/my-data.zip', 'fanvas-data.zip', signal, (response) =>
    countedBlob(response, onBytes),
  );
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

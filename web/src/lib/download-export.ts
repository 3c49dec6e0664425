import { connectionError, refusalOf, withSession } from './api.js';
import { fileName, type DownloadedFile } from './download.js';

/**
 * Downloads a file that the server makes for the signed-in person.
 * @param address with its query: `/exports/admin-acts.csv?p_kind=credits.`
 * @param name of the file when the server gives none
 * @param read takes the file from the answer
 * @throws ApiError also when the connection breaks midway; an abort is rethrown as it is
 */
export function downloadExport(
  address: string,
  name: string,
  signal: AbortSignal,
  read = (response: Response): Promise<Blob> => response.blob(),
): Promise<DownloadedFile> {
  return withSession(async (token) => {
    const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
    try {
      const response = await fetch(address, { headers, signal });
      if (!response.ok) throw refusalOf(response, await response.text());
      return { blob: await read(response), name: fileName(response, name) };
    } catch (error) {
      // Browsers report every broken connection as a TypeError.
      if (signal.aborted || !(error instanceof TypeError)) throw error;
      throw connectionError(error);
    }
  });
}

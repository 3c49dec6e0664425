import { connectionError, refusalOf, withSession } from '../../../lib/api.js';
import { fileName, type DownloadedFile } from '../../../lib/download.js';

/**
 * Downloads the earnings of a creator as CSV.
 * @param month YYYY-MM; all months without it
 * @throws ApiError also when the connection breaks midway; an abort is rethrown as it is
 */
export function downloadEarnings(
  creatorId: string,
  month: string | null,
  signal: AbortSignal,
): Promise<DownloadedFile> {
  const query = new URLSearchParams({ creator_id: creatorId, ...(month === null ? {} : { month }) });
  return withSession(async (token) => {
    const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
    try {
      const response = await fetch(`/exports/creator-earnings.csv?${query.toString()}`, { headers, signal });
      if (!response.ok) throw refusalOf(response, await response.text());
      return { blob: await response.blob(), name: fileName(response, 'creator-earnings.csv') };
    } catch (error) {
      // Browsers report every broken connection as a TypeError.
      if (signal.aborted || !(error instanceof TypeError)) throw error;
      throw connectionError(error);
    }
  });
}

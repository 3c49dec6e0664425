import type { DownloadedFile } from '../../../lib/download.js';
import { downloadExport } from '../../../lib/download-export.js';

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
  return downloadExport(`/exports/creator-earnings.csv?${query.toString()}`, 'creator-earnings.csv', signal);
}

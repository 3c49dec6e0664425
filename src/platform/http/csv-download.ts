import { Readable } from 'node:stream';
import { type Logger, StreamableFile } from '@nestjs/common';
import { type FastifyReply } from 'fastify';

/** A download whose client takes nothing for this long ends (milliseconds). */
const STALLED_AFTER_MS = 60_000;

/**
 * Streams a CSV file as the client reads it. A failure midway breaks the connection, and is logged.
 * @param parts the text of the file, in parts that are made one after the other
 */
export function csvDownload(
  reply: FastifyReply,
  parts: AsyncIterable<string>,
  { name, logger }: { readonly name: string; readonly logger: Logger },
): StreamableFile {
  const csv = Readable.from(parts);
  csv.once('error', (error) => logger.warn({ message: 'A download ended early.', name, error }));
  reply.raw.setTimeout(STALLED_AFTER_MS, () => reply.raw.destroy());
  return new StreamableFile(csv, { type: 'text/csv; charset=utf-8', disposition: `attachment; filename="${name}"` });
}

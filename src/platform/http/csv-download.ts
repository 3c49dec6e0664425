import { Readable } from 'node:stream';
import { type Logger, StreamableFile } from '@nestjs/common';
import { type FastifyReply } from 'fastify';

/** A download whose client takes nothing for this long ends (milliseconds). */
const STALLED_AFTER_MS = 60_000;

/**
 * Streams a file as the client reads it. A failure midway breaks the connection, and is logged.
 * @param parts the text of the file, in parts that are made one after the other
 */
export function streamedDownload(
  reply: FastifyReply,
  parts: AsyncIterable<string>,
  { name, type, logger }: { readonly name: string; readonly type: string; readonly logger: Logger },
): StreamableFile {
  const file = Readable.from(parts);
  file.once('error', (error) => logger.warn({ message: 'A download ended early.', name, error }));
  reply.raw.setTimeout(STALLED_AFTER_MS, () => reply.raw.destroy());
  return new StreamableFile(file, { type, disposition: `attachment; filename="${name}"` });
}

/**
 * Streams a CSV file, see {@link streamedDownload}.
 * @param options.forPeople begins the file with a mark by which spreadsheets know UTF-8; programs that read it take the
 *   mark for a part of the first name
 */
export function csvDownload(
  reply: FastifyReply,
  parts: AsyncIterable<string>,
  { forPeople, ...file }: { readonly name: string; readonly logger: Logger; readonly forPeople: boolean },
): StreamableFile {
  return streamedDownload(reply, forPeople ? marked(parts) : parts, { ...file, type: 'text/csv; charset=utf-8' });
}

async function* marked(parts: AsyncIterable<string>): AsyncIterable<string> {
  yield '\ufeff';
  yield* parts;
}

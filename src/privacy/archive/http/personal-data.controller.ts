import { Readable } from 'node:stream';
import { type ReadableStream } from 'node:stream/web';
import { Controller, Logger, type OnModuleDestroy, Res, StreamableFile } from '@nestjs/common';
import { makeZip } from 'client-zip';
import { type FastifyReply } from 'fastify';
import { RATE_LIMITS } from '../../../contract/rate-limits.js';
import { Clock } from '../../../platform/clock.js';
import { CurrentUser, Endpoint } from '../../../platform/http/routes.js';
import { type Principal } from '../../../platform/principal.js';
import { PersonalArchive } from '../personal-archive.js';

/** A download whose client takes nothing for this long ends (milliseconds). */
const STALLED_AFTER_MS = 60_000;

/** Everything of the signed-in person, as a ZIP file. */
@Controller()
export class PersonalDataController implements OnModuleDestroy {
  private readonly logger = new Logger(PersonalDataController.name);
  private readonly downloads = new Set<Readable>();

  constructor(
    private readonly archive: PersonalArchive,
    private readonly clock: Clock,
  ) {}

  /**
   * Streams the archive as the client reads it. The work ends when the client leaves. A failure midway breaks the
   * connection, so that a cut archive is never taken for a complete one.
   */
  @Endpoint('GET /exports/my-data.zip', {
    access: 'user',
    limit: RATE_LIMITS.dataExport,
    // Each page of rows is a statement with a limit of its own.
    unlimitedDatabaseTime: true,
  })
  download(@CurrentUser() { userId }: Principal, @Res({ passthrough: true }) reply: FastifyReply): StreamableFile {
    this.logger.log({ message: 'A person exports their data.', userId });
    const zip = Readable.fromWeb(makeZip(this.archive.files(userId)) as ReadableStream<Uint8Array>);
    this.downloads.add(zip);
    zip.once('close', () => this.downloads.delete(zip));
    zip.once('error', (error) =>
      this.logger.warn({ message: 'An export of personal data ended early.', userId, error }),
    );
    reply.raw.setTimeout(STALLED_AFTER_MS, () => reply.raw.destroy());
    const disposition = `attachment; filename="fanvas-data-${this.clock.now().toISOString().slice(0, 10)}.zip"`;
    return new StreamableFile(zip, { type: 'application/zip', disposition });
  }

  /** Downloads whose client has not left. */
  running(): number {
    return [...this.downloads].filter(({ destroyed }) => !destroyed).length;
  }

  /** The server stops only when all connections are closed. */
  onModuleDestroy(): void {
    for (const zip of this.downloads) zip.destroy(new Error('The server stops.'));
  }
}

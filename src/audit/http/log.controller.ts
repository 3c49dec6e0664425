import { Controller, Header, Inject, Logger, Param, Res, type StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type FastifyReply } from 'fastify';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { Clock } from '../../platform/clock.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { ApiError } from '../../platform/http/api-error.js';
import { streamedDownload } from '../../platform/http/csv-download.js';
import { CurrentUser, Endpoint, type RouteOptions } from '../../platform/http/routes.js';
import { isUuid } from '../../platform/ids.js';
import { Authenticator, type Principal } from '../../platform/principal.js';
import { GetOwnCreator } from '../../creators/index.js';
import { accountStream } from '../../credits/index.js';
import { EARNINGS_STREAM_PREFIX, earningsStream } from '../../finance/index.js';
import { originOf } from '../log/checkpoint.js';
import { PublicLog } from '../log/public-log.js';
import { verifierKey } from '../log/signed-note.js';
import { LedgerKeys } from '../seals/ledger-keys.js';

const TILES: RouteOptions = { access: 'public', limit: RATE_LIMITS.ledgerTiles };
/** A page of events is a statement with a limit of its own. */
const STATEMENT: RouteOptions = { access: 'user', limit: RATE_LIMITS.standardApi, unlimitedDatabaseTime: true };
const TEXT = 'text/plain; charset=utf-8';

/** The public log of the ledger, as C2SP tlog-tiles describes it, and inclusion proofs of own events. */
@Controller()
export class LogController {
  private readonly logger = new Logger(LogController.name);
  private readonly origin: string;

  constructor(
    @Inject(CONFIG) { publicUrl }: Config,
    private readonly log: PublicLog,
    private readonly keys: LedgerKeys,
    private readonly authenticator: Authenticator,
    private readonly clock: Clock,
    private readonly queries: QueryBus,
  ) {
    this.origin = originOf(publicUrl);
  }

  /** The last checkpoint. Caches may keep it for some seconds. */
  @Endpoint('GET /ledger/checkpoint', TILES)
  async checkpoint(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const note = await this.log.checkpoint();
    if (note === null) throw notFound();
    void reply.header('Content-Type', TEXT);
    void reply.header('Cache-Control', 'public, max-age=5');
    return note;
  }

  /** The key that verifies the next checkpoint. */
  @Endpoint('GET /ledger/key', TILES)
  @Header('Content-Type', TEXT)
  async key(): Promise<string> {
    return `${verifierKey(this.origin, await this.keys.currentPublic())}\n`;
  }

  @Endpoint('GET /ledger/tile/{level}/{a}', TILES)
  tile1(@Param() { level, a }: TileParams, @Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    return this.tile(reply, level, [a]);
  }

  @Endpoint('GET /ledger/tile/{level}/{a}/{b}', TILES)
  tile2(@Param() { level, a, b }: TileParams, @Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    return this.tile(reply, level, [a, b]);
  }

  @Endpoint('GET /ledger/tile/{level}/{a}/{b}/{c}', TILES)
  tile3(@Param() { level, a, b, c }: TileParams, @Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    return this.tile(reply, level, [a, b, c]);
  }

  @Endpoint('GET /ledger/tile/{level}/{a}/{b}/{c}/{d}', TILES)
  tile4(@Param() { level, a, b, c, d }: TileParams, @Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    return this.tile(reply, level, [a, b, c, d]);
  }

  /** The inclusion proof of an event. Other people's events do not exist for the caller. */
  @Endpoint('GET /ledger/proof/{eventId}', { access: 'user', limit: RATE_LIMITS.publicData })
  async proof(
    @Param('eventId') eventId: string,
    @CurrentUser() { userId }: Principal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const found = isUuid(eventId) ? await this.log.leaf(eventId) : null;
    if (!found) throw notFound();
    const { leaf, checkpoint } = found;
    if (!(await this.isOwn(leaf.stream, userId)) && !(await this.authenticator.rolesOf(userId)).has('auditor'))
      throw notFound();
    if (leaf.index >= checkpoint.size) {
      throw new ApiError(404, 'No checkpoint has this event yet. Try again in a minute.', { code: 'PGRST125' });
    }
    void reply.header('Content-Type', TEXT);
    void reply.header('Cache-Control', 'no-store');
    void reply.header('Content-Disposition', `attachment; filename="${leaf.eventId}.tlog-proof"`);
    return this.log.proof(found);
  }

  /** The caller's own events with a proof, as a file. */
  @Endpoint('GET /ledger/statement', STATEMENT)
  async statement(
    @CurrentUser() { userId }: Principal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    return this.download(reply, accountStream(userId), {
      name: 'statement',
      missing: 'Your first credits are not in the public log yet. Try again in a minute.',
    });
  }

  /** The shares of the creator that the caller is, with a proof, as a file. */
  @Endpoint('GET /ledger/earnings-statement', STATEMENT)
  async earningsStatement(
    @CurrentUser() { userId }: Principal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const creator = await this.queries.execute(new GetOwnCreator({ userId }));
    if (!creator) throw new ApiError(404, 'You are not a creator.');
    return this.download(reply, earningsStream(creator.id), {
      name: 'earnings-statement',
      missing: 'Your first earnings are not in the public log yet. Try again in a minute.',
    });
  }

  /** Whether the stream is the caller's account, or has the earnings of the creator that the caller is. */
  private async isOwn(stream: string, userId: string): Promise<boolean> {
    if (stream === accountStream(userId)) return true;
    if (!stream.startsWith(EARNINGS_STREAM_PREFIX)) return false;
    const creator = await this.queries.execute(new GetOwnCreator({ userId }));
    return creator !== null && stream === earningsStream(creator.id);
  }

  /** The events of a stream with a proof. @param file.missing the answer while no checkpoint has an event of it */
  private async download(
    reply: FastifyReply,
    stream: string,
    file: { readonly name: string; readonly missing: string },
  ): Promise<StreamableFile> {
    const now = this.clock.now();
    const parts = await this.log.statement(stream, now);
    if (parts === null) throw new ApiError(404, file.missing);
    void reply.header('Cache-Control', 'no-store');
    const name = `fanvas-${file.name}-${now.toISOString().slice(0, 10)}.ndjson`;
    return streamedDownload(reply, parts, { name, type: 'application/x-ndjson', logger: this.logger });
  }

  /** A tile never changes, so caches may keep it for ever. Only what a checkpoint covers is served. */
  private async tile(reply: FastifyReply, level: string, path: readonly string[]): Promise<Buffer> {
    const content = await this.log.tile(level, path);
    if (content === null) throw notFound();
    void reply.header('Content-Type', 'application/octet-stream');
    void reply.header('Cache-Control', 'public, max-age=31536000, immutable');
    return content;
  }
}

/** Parts of the address of a tile; those that a route does not have are never read. */
type TileParams = Readonly<Record<'level' | 'a' | 'b' | 'c' | 'd', string>>;

function notFound(): ApiError {
  return new ApiError(404, 'Not found', { code: 'PGRST125' });
}

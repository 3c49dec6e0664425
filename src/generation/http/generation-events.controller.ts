import { Controller, Logger, type OnApplicationBootstrap, type OnModuleDestroy, Param, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type FastifyReply } from 'fastify';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { liftDatabaseBudget } from '../../platform/database/request-budget.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Authenticator, type Principal } from '../../platform/principal.js';
import { type ContextRequest } from '../../platform/http/context-request.js';
import { CurrentUser, Endpoint } from '../../platform/http/routes.js';
import { isUuid } from '../../platform/ids.js';
import { MESSAGES } from '../messages.js';
import { type GenerationSnapshot, GetGenerationSnapshot } from '../reads/get-generation-snapshot.js';
import { GenerationChanges } from '../workers/generation-changes.js';
import { OpenStreams } from './open-streams.js';

/** Browsers report connection trouble after three seconds without a byte. */
const HEARTBEAT_MS = 1_000;
/** With the three seconds that the provider may take, a stream ends within ten seconds of its session. */
const SESSION_CHECK_MS = 5_000;

/** The live status of a generation as server-sent events. */
@Controller()
export class GenerationEventsController implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(GenerationEventsController.name);
  private readonly streams = new Set<GenerationStream>();
  private stopping = false;
  private checking: NodeJS.Timeout | undefined;

  constructor(
    private readonly queries: QueryBus,
    private readonly changes: GenerationChanges,
    private readonly authenticator: Authenticator,
    private readonly open: OpenStreams,
  ) {}

  /** Streams are open where requests are, also in a process that does no scheduled work. */
  onApplicationBootstrap(): void {
    const failed = (error: unknown): void =>
      this.logger.warn({ message: 'The sessions of streams could not be checked; they are checked again.', error });
    this.checking = setInterval(() => void this.endStreamsOfEndedSessions().catch(failed), SESSION_CHECK_MS).unref();
  }

  /** Sends the view at once and after each change. Ends when no further change is possible. */
  @Endpoint('GET /events/generations/{id}', { access: 'user', limit: RATE_LIMITS.statusCheck })
  async follow(
    @Param('id') id: string,
    @CurrentUser() user: Principal,
    @Req() request: ContextRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (!isUuid(id)) throw new ApiError(404, MESSAGES.notFound);
    const read = () =>
      this.queries.execute(new GetGenerationSnapshot({ target: { generationId: id }, viewerId: user.userId }));
    let stream: GenerationStream | null = null;
    let changed = false;
    let counted = false;
    const stop = await this.changes.listen(id.toLowerCase(), () => {
      if (stream) stream.refresh();
      else changed = true;
    });
    try {
      // The read comes after the subscription, so no change is missed.
      const first = await read();
      if (!first) throw new ApiError(404, MESSAGES.notFound);
      counted = await this.open.enter(user.userId);
      if (!counted) throw new ApiError(429, MESSAGES.tooManyStreams, { retryAfterSeconds: 30 });
      if (request.raw.socket.destroyed) return;
      if (this.stopping) throw new ApiError(503, MESSAGES.statusUnknown, { retryAfterSeconds: 5 });
      stream = new GenerationStream(user, reply, read);
      this.streams.add(stream);
      stream.show(first);
      // The stream lives as long as the generation changes, longer than any request may take.
      liftDatabaseBudget();
      if (changed) stream.refresh();
      await stream.ended;
    } finally {
      stop();
      if (counted) this.open.leave(user.userId);
      stream?.end();
      if (stream) this.streams.delete(stream);
    }
  }

  /** Ends the streams whose viewers have signed out or were deleted. Asks once for each session. */
  async endStreamsOfEndedSessions(): Promise<void> {
    const viewers = new Map([...this.streams].map(({ viewer }) => [`${viewer.userId} ${viewer.sessionId}`, viewer]));
    await Promise.all(
      [...viewers].map(async ([key, viewer]) => {
        if (await this.authenticator.isActive(viewer)) return;
        for (const stream of this.streams) {
          if (`${stream.viewer.userId} ${stream.viewer.sessionId}` === key) stream.end();
        }
      }),
    );
  }

  /** The server stops only when all connections are closed, so this ends all streams and refuses new ones. */
  onModuleDestroy(): void {
    this.stopping = true;
    clearInterval(this.checking);
    for (const stream of this.streams) stream.end();
  }
}

/** The stream of one generation to one browser. */
class GenerationStream {
  readonly ended: Promise<void>;
  private readonly logger = new Logger(GenerationStream.name);
  private readonly heartbeat: NodeJS.Timeout;
  private lastSent = '';
  private reading = false;
  private changedMeanwhile = false;

  constructor(
    readonly viewer: Principal,
    private readonly reply: FastifyReply,
    private readonly read: () => Promise<GenerationSnapshot | null>,
  ) {
    reply.hijack();
    const response = reply.raw;
    this.ended = new Promise((resolve) => response.once('close', resolve));
    // Keeps the headers that the hooks have set: security headers and the request id.
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) response.setHeader(name, value);
    }
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      Connection: 'keep-alive',
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
    this.heartbeat = setInterval(() => response.write(': still here\n\n'), HEARTBEAT_MS);
    response.once('close', () => clearInterval(this.heartbeat));
  }

  /** Reads the state and sends it if the viewer sees a difference. Changes during a read cause one more read. */
  refresh(): void {
    if (this.reading) {
      this.changedMeanwhile = true;
      return;
    }
    this.reading = true;
    void this.sendLatest().finally(() => {
      this.reading = false;
      if (!this.changedMeanwhile) return;
      this.changedMeanwhile = false;
      this.refresh();
    });
  }

  end(): void {
    clearInterval(this.heartbeat);
    if (!this.reply.raw.writableEnded) this.reply.raw.end();
  }

  private async sendLatest(): Promise<void> {
    if (this.reply.raw.writableEnded || this.reply.raw.destroyed) return;
    try {
      const snapshot = await this.read();
      // The stream may have ended during the read; a write would then fail silently.
      if (this.reply.raw.writableEnded) return;
      if (snapshot) this.show(snapshot);
      else this.end();
    } catch (error) {
      // The browser falls back to polling, which reports the error.
      this.logger.warn('Reading a generation for its viewer failed; the stream ends.', { error });
      this.end();
    }
  }

  /** Sends a state unless it equals the last one sent. Ends the stream after a final state. */
  show(snapshot: GenerationSnapshot): void {
    const data = JSON.stringify(snapshot.view);
    if (data !== this.lastSent) {
      this.lastSent = data;
      this.reply.raw.write(`event: generation\nid: ${snapshot.revision}\ndata: ${data}\n\n`);
    }
    if (snapshot.final) this.end();
  }
}

import { Controller, Logger, type OnModuleDestroy, Param, Req, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { liftDatabaseBudget } from '../../platform/database/request-budget.js';
import { ApiError } from '../../platform/http/api-error.js';
import { type Principal } from '../../platform/http/principal.js';
import { type ContextRequest, CurrentUser, Endpoint } from '../../platform/http/routes.js';
import { isUuid } from '../../platform/ids.js';
import { GenerationChanges } from '../workers/generation-changes.js';
import { GenerationReader, type GenerationSnapshot } from '../reads/generation-reader.js';
import { MESSAGES } from '../messages.js';

/** Shorter than the idle limits of usual proxies. */
const HEARTBEAT_MS = 15_000;
const MAX_STREAMS_PER_USER = 10;

/** Live status of a generation as server-sent events. */
@Controller()
export class GenerationEventsController implements OnModuleDestroy {
  private readonly streams = new Set<GenerationStream>();
  private stopping = false;

  constructor(
    private readonly reader: GenerationReader,
    private readonly changes: GenerationChanges,
  ) {}

  /** Sends the view at once and after each change, and ends once nothing more will change. */
  @Endpoint('GET /events/generations/{id}', { access: 'user', limit: RATE_LIMITS.statusCheck })
  async follow(
    @Param('id') id: string,
    @CurrentUser() user: Principal,
    @Req() request: ContextRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (!isUuid(id)) throw new ApiError(404, MESSAGES.notFound);
    const read = () => this.reader.snapshot(id, user);
    let stream: GenerationStream | null = null;
    let changed = false;
    const stop = await this.changes.listen(id.toLowerCase(), () => {
      if (stream) stream.refresh();
      else changed = true;
    });
    try {
      // Read once changes are heard: none is missed, and it is read only once.
      const first = await read();
      if (!first) throw new ApiError(404, MESSAGES.notFound);
      if (request.raw.socket.destroyed) return;

      // Nothing is awaited between these checks and the new stream: requests sent together are counted, too.
      if (this.stopping) throw new ApiError(503, MESSAGES.statusUnknown, { retryAfterSeconds: 5 });
      const open = [...this.streams].filter((each) => each.userId === user.userId).length;
      if (open >= MAX_STREAMS_PER_USER) throw new ApiError(429, MESSAGES.tooManyStreams, { retryAfterSeconds: 30 });
      stream = new GenerationStream(user.userId, reply, read);
      this.streams.add(stream);
      stream.show(first);
      // It stays for as long as there is something to tell.
      liftDatabaseBudget();
      if (changed) stream.refresh();
      await stream.ended;
    } finally {
      stop();
      stream?.end();
      if (stream) this.streams.delete(stream);
    }
  }

  /** The server can only stop once nobody is connected any more, so from now on nobody gets a stream. */
  onModuleDestroy(): void {
    this.stopping = true;
    for (const stream of this.streams) stream.end();
  }
}

/** One browser that follows one generation. */
class GenerationStream {
  readonly ended: Promise<void>;
  private readonly logger = new Logger(GenerationStream.name);
  private readonly heartbeat: NodeJS.Timeout;
  private lastSent = '';
  private reading = false;
  private changedMeanwhile = false;

  constructor(
    readonly userId: string,
    private readonly reply: FastifyReply,
    private readonly read: () => Promise<GenerationSnapshot | undefined>,
  ) {
    reply.hijack();
    const response = reply.raw;
    this.ended = new Promise((resolve) => response.once('close', resolve));
    // What the hooks have set (security headers, request id) belongs to this answer too.
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

  /** Sends the present state if the viewer would see a difference. Changes during a read lead to one more read. */
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
      // Ended while it was read: a write would be an error that nobody hears.
      if (this.reply.raw.writableEnded) return;
      if (snapshot) this.show(snapshot);
      else this.end();
    } catch (error) {
      // The browser falls back to polling and is told there what is wrong.
      this.logger.warn('A generation could not be read for its viewer; the stream ends.', { error });
      this.end();
    }
  }

  /** Sends a state unless it is the last one sent, and ends with one that will not change any more. */
  show(snapshot: GenerationSnapshot): void {
    const data = JSON.stringify(snapshot.view);
    if (data !== this.lastSent) {
      this.lastSent = data;
      this.reply.raw.write(`event: generation\nid: ${snapshot.revision}\ndata: ${data}\n\n`);
    }
    if (snapshot.final) this.end();
  }
}

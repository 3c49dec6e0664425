import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HOUR_MS } from '../../contract/durations.js';
import { Clock } from '../clock.js';
import { ApiError } from '../http/api-error.js';
import { NetworkCounts } from '../http/network-counts.js';
import { type DerivedFormat } from '../storage/derived-files.js';
import { FileStorage } from '../storage/file-storage.js';
import { FairQueue, type Refusal } from './fair-queue.js';
import { PictureEncoder } from './picture-encoder.js';

/** One client never has both places, so that another one can begin at once. */
const LIMITS = { running: 2, runningEach: 1, waiting: 64, waitingEach: 8 } as const;
const RETRY_AFTER_S = 5;

/** Converted pictures that a network gets in a minute (bytes): nine of the largest ones, or 180 link previews. */
const BYTES_A_MINUTE = 30e6;

/** The client that waits for a picture. */
export interface PictureClient {
  /** Requests of one network count as one client. */
  readonly network: string;
  /** Aborts when the client closes its connection. */
  readonly gone: AbortSignal;
}

interface Waiter {
  readonly network: string;
  readonly resolve: (bytes: Promise<Buffer | null>) => void;
  readonly reject: (error: unknown) => void;
}

interface Conversion {
  readonly name: string;
  readonly format: DerivedFormat;
  readonly waiters: Set<Waiter>;
  running: boolean;
}

/**
 * Converts stored pictures to JPEG and PNG, for link previews and downloads: many programs outside of browsers read no
 * WebP. The storage keeps results for a while, and deletes them with the picture. What another process has deleted, it
 * deletes within an hour.
 */
@Injectable()
export class PictureConverter implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(PictureConverter.name);
  private readonly queue = new FairQueue(LIMITS);
  private readonly conversions = new Map<string, Conversion>();
  private readonly sent: NetworkCounts;
  private readonly timer = setInterval(() => void this.sweep(), HOUR_MS).unref();

  constructor(
    private readonly storage: FileStorage,
    private readonly encoder: PictureEncoder,
    private readonly clock: Clock,
  ) {
    this.sent = new NetworkCounts(BYTES_A_MINUTE, clock);
  }

  onApplicationBootstrap(): void {
    void this.sweep();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Deletes the results whose picture another process has deleted. */
  async sweep(): Promise<void> {
    try {
      await this.storage.sweepDerived(this.clock.now().getTime());
    } catch (error) {
      this.logger.error({ message: 'Old converted pictures could not be deleted; it is retried in an hour.', error });
    }
  }

  /**
   * Requests for the same picture at the same time share one conversion.
   * @param name of the stored picture
   * @returns null when there is no such picture
   * @throws ApiError 429 when too many conversions of this client wait, or it got too many bytes in this minute; 503
   *   when too many conversions of all clients wait
   */
  async convert(name: string, format: DerivedFormat, client: PictureClient): Promise<Buffer | null> {
    const refusal = this.tooManyBytes(client.network);
    if (refusal) throw refusal;
    const derived = await this.storage.getDerived(name, format);
    if (!derived) return this.inTurn({ name, format }, client);
    this.sent.count(client.network, derived.length);
    return derived;
  }

  private tooManyBytes(network: string): ApiError | null {
    const seconds = this.sent.secondsToWait(network);
    return seconds > 0 ? refused('too many of this client', seconds) : null;
  }

  private inTurn(
    picture: Pick<Conversion, 'name' | 'format'>,
    { network, gone }: PictureClient,
  ): Promise<Buffer | null> {
    return new Promise<Buffer | null>((resolve, reject) => {
      if (gone.aborted) return reject(clientGone());
      const key = `${picture.name}.${picture.format}`;
      const refusal = this.queue.enter(network, key);
      if (refusal) return reject(refused(refusal));
      const conversion = this.conversions.get(key) ?? { ...picture, waiters: new Set(), running: false };
      this.conversions.set(key, conversion);
      const waiter = { network, resolve, reject };
      conversion.waiters.add(waiter);
      gone.addEventListener('abort', () => this.leave(key, conversion, waiter), { once: true });
      this.begin();
    });
  }

  private leave(key: string, { waiters, running }: Conversion, waiter: Waiter): void {
    if (!waiters.delete(waiter)) return;
    if (![...waiters].some(({ network }) => network === waiter.network)) this.queue.leave(waiter.network, key);
    if (waiters.size === 0 && !running) this.conversions.delete(key);
    waiter.reject(clientGone());
  }

  private begin(): void {
    for (let key = this.queue.next(); key !== null; key = this.queue.next()) void this.run(key);
  }

  private async run(key: string): Promise<void> {
    const conversion = this.conversions.get(key);
    if (conversion) this.refuseWaiters(conversion);
    if (conversion && conversion.waiters.size > 0) {
      conversion.running = true;
      const result = this.make(conversion);
      const [outcome] = await Promise.allSettled([result]);
      // The waiters get the result or the error, which is logged with their requests.
      if (outcome.status === 'rejected' && conversion.waiters.size === 0) {
        const { format } = conversion;
        this.logger.error({ message: 'A picture could not be converted.', format, error: outcome.reason as unknown });
      }
      for (const { network, resolve } of conversion.waiters) {
        if (outcome.status === 'fulfilled') this.sent.count(network, outcome.value?.length);
        resolve(result);
      }
      conversion.waiters.clear();
    }
    this.conversions.delete(key);
    this.queue.end(key);
    this.begin();
  }

  /** Refuses those that got too many bytes while they waited. */
  private refuseWaiters({ waiters }: Conversion): void {
    for (const waiter of waiters) {
      const refusal = this.tooManyBytes(waiter.network);
      if (!refusal) continue;
      waiters.delete(waiter);
      waiter.reject(refusal);
    }
  }

  private async make({ name, format }: Conversion): Promise<Buffer | null> {
    const stored = await this.storage.get(name);
    if (!stored) return null;
    return this.storage.putDerived(name, format, (file) => this.encoder.encode(stored, format, file));
  }
}

function refused(refusal: Refusal, retryAfterSeconds: number = RETRY_AFTER_S): ApiError {
  const retry = { retryAfterSeconds };
  return refusal === 'too many'
    ? new ApiError(503, 'Too many images are converted at the moment. Please try again.', retry)
    : new ApiError(429, 'Too many of your downloads are being prepared. Please try again in a moment.', retry);
}

/** No client receives it. */
function clientGone(): ApiError {
  return new ApiError(499, 'The client has closed the connection.');
}

import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { DRAWN_SHAPES } from '../../contract/aspect-ratios.js';
import { ART_STYLES, type ArtStyle, isArtStyle, renderArt } from '../art/index.js';
import { seedOf } from '../art/random.js';
import { withoutMarkers } from './faults.js';
import {
  createRecord,
  type Delivery,
  failureMessage,
  isClassifier,
  isEnded,
  logLine,
  type NewPrediction,
  nextStep,
  type Pace,
  type PredictionRecord,
  type Status,
  type Step,
  toApiPrediction,
  verdictOf,
  type WebhookEvent,
} from './prediction.js';
import { type Store } from './store.js';
import { scheduleRetry, type WebhookSender } from './webhook-sender.js';

/** Tests may set the clock, so the timer never sleeps longer than this before it reads the clock again. */
const MAX_SLEEP_MS = 250;

const DEFAULT_SIZE = 1024;
const MIN_SIZE = 256;
const MAX_SIZE = 1440;

export interface EngineOptions {
  readonly store: Store;
  readonly sender: WebhookSender;
  readonly now: () => number;
  /** The sandbox's address, without a trailing slash. */
  readonly baseUrl: () => string;
  /** Pixels of the longer side of a picture, at most. */
  readonly picturePx: number;
}

/**
 * Runs the predictions. Each step is on disk before its webhook is sent. A single timer does all the waiting, and the
 * due work follows from the records alone, so a restarted process continues where the last one stopped.
 */
export class Engine {
  private readonly logger = new Logger('ReplicateSandbox');
  private readonly turns = new Map<string, Promise<unknown>>();
  private readonly sending = new Set<Delivery>();
  private readonly work = new Set<Promise<void>>();
  private readonly watchers = new Map<string, Set<() => void>>();
  private timer: NodeJS.Timeout | null = null;
  private running = false;

  constructor(private readonly options: EngineOptions) {}

  /** Starts, or continues after a restart. */
  start(): void {
    if (this.running) return;
    this.running = true;
    this.advance();
  }

  async close(): Promise<void> {
    this.running = false;
    if (this.timer) clearTimeout(this.timer);
    this.options.sender.close();
    await Promise.all(this.work);
  }

  /** @returns the prediction, and its view at the moment of creation */
  async create(request: NewPrediction, pace: Pace): Promise<{ record: PredictionRecord; created: object }> {
    const record = createRecord(request, pace, this.options.now());
    const created = toApiPrediction(record, this.options.baseUrl());
    await this.options.store.save(record);
    this.advance();
    return { record, created };
  }

  find(id: string): PredictionRecord | undefined {
    return this.options.store.records.get(id);
  }

  /** Newest first. */
  list(): PredictionRecord[] {
    return [...this.options.store.records.values()].sort((a, b) => b.createdAt - a.createdAt);
  }

  /** Cancels a prediction; does nothing when it has ended. */
  async cancel(record: PredictionRecord): Promise<void> {
    await this.inTurn(record, async () => {
      if (!isEnded(record)) await this.end(record, 'canceled');
    });
    this.advance();
  }

  /** Resolves when the prediction ends, or after `timeoutMs`. */
  async waitForEnd(record: PredictionRecord, timeoutMs: number): Promise<void> {
    if (isEnded(record)) return;
    const watchers = this.watchers.get(record.id) ?? new Set();
    this.watchers.set(record.id, watchers);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      watchers.add(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Starts all due work, and sets the timer for the rest. */
  private advance(): void {
    if (!this.running) return;
    const now = this.options.now();
    let wakeAt = now + MAX_SLEEP_MS;
    for (const record of this.options.store.records.values()) {
      for (const delivery of record.deliveries) {
        if (this.sending.has(delivery)) continue;
        if (delivery.dueAt <= now) this.track(this.deliver(record, delivery));
        else wakeAt = Math.min(wakeAt, delivery.dueAt);
      }
      // A prediction with a running change is skipped: the end of that change calls `advance` again.
      const step = this.turns.has(record.id) ? null : nextStep(record);
      if (!step) continue;
      if (step.at <= now) this.track(this.inTurn(record, () => this.takeStep(record)));
      else wakeAt = Math.min(wakeAt, step.at);
    }
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => this.advance(), Math.max(1, wakeAt - now)).unref();
  }

  /** Registers a background task: `close` waits for it, and a failure is logged. */
  private track(task: Promise<void>): void {
    const done = task
      .then(
        () => this.advance(),
        // Retried when the timer fires, not immediately.
        (error: unknown) => this.logger.error({ message: 'A step of the sandbox failed.', error }),
      )
      .finally(() => this.work.delete(done));
    this.work.add(done);
  }

  /** Serialises the changes of one prediction. */
  private async inTurn(record: PredictionRecord, change: () => Promise<void>): Promise<void> {
    const previous = this.turns.get(record.id) ?? Promise.resolve();
    const turn = previous.then(change, change);
    this.turns.set(record.id, turn);
    try {
      await turn;
    } finally {
      if (this.turns.get(record.id) === turn) this.turns.delete(record.id);
    }
  }

  private async takeStep(record: PredictionRecord): Promise<void> {
    const step = nextStep(record);
    if (!step || step.at > this.options.now() || !this.running) return;
    await this.perform(record, step);
  }

  private async perform(record: PredictionRecord, step: Step): Promise<void> {
    switch (step.kind) {
      case 'start':
        record.status = 'processing';
        // The scheduled time, not the current one: a run continues while the process is down.
        record.startedAt = step.at;
        record.logs = `Using seed: ${seedFor(record)}\n`;
        return this.saveWithWebhook(record, 'start');
      case 'log':
        record.logs += logLine(step.line);
        return this.saveWithWebhook(record, 'logs');
      case 'draw':
        return this.draw(record);
      case 'deadline':
        return this.end(record, record.startedAt === null ? 'aborted' : 'canceled');
      case 'expire':
        record.input = {};
        record.output = null;
        delete record.text;
        record.logs = '';
        record.dataRemoved = true;
        await this.options.store.removeFiles(record);
        return this.options.store.save(record);
    }
  }

  private async draw(record: PredictionRecord): Promise<void> {
    const error = failureMessage(record.faults);
    if (error !== null) return this.end(record, 'failed', error);
    if (record.faults['no-output']) return this.end(record, 'succeeded');
    if (isClassifier(record)) {
      record.text = verdictOf(record);
      await this.saveWithWebhook(record, 'output');
      return this.end(record, 'succeeded');
    }
    const name = `${record.id}/${randomBytes(6).toString('hex')}.png`;
    if (record.faults.corrupt) await this.options.store.putFile(name, Buffer.from('This is not a picture.'));
    else if (!record.faults['missing-file']) {
      const picture = await drawPicture(record, this.options.picturePx).catch((problem: unknown) => {
        this.logger.error({ message: 'A picture could not be drawn.', predictionId: record.id, error: problem });
        return null;
      });
      if (!picture) return this.end(record, 'failed', 'The model could not draw this.');
      await this.options.store.putFile(name, picture);
    }
    record.output = [name];
    await this.saveWithWebhook(record, 'output');
    return this.end(record, 'succeeded');
  }

  private async end(record: PredictionRecord, status: Status, error: string | null = null): Promise<void> {
    record.status = status;
    record.error = error;
    record.completedAt = this.options.now();
    await this.saveWithWebhook(record, 'completed');
    for (const resolve of this.watchers.get(record.id) ?? []) resolve();
    this.watchers.delete(record.id);
  }

  /** Saves a change together with its webhook. */
  private async saveWithWebhook(record: PredictionRecord, event: WebhookEvent): Promise<void> {
    const wanted = record.webhook !== null && record.webhookEvents.includes(event) && !record.faults['lost-webhook'];
    if (wanted) {
      const delivery: Delivery = {
        id: `msg_${randomBytes(12).toString('hex')}`,
        event,
        body: JSON.stringify(toApiPrediction(record, this.options.baseUrl())),
        attempts: 0,
        dueAt: this.options.now(),
      };
      record.deliveries.push(delivery);
      if (event === 'completed' && record.faults['dup-webhook']) record.deliveries.push({ ...delivery });
    }
    await this.options.store.save(record);
  }

  private async deliver(record: PredictionRecord, delivery: Delivery): Promise<void> {
    if (record.webhook === null) return;
    this.sending.add(delivery);
    try {
      const acknowledged = await this.options.sender.send(record.webhook, delivery);
      // Interrupted by `close`: the next process sends it again.
      if (!acknowledged && !this.running) return;
      await this.inTurn(record, async () => {
        if (acknowledged) record.deliveries = record.deliveries.filter((other) => other !== delivery);
        else if (!scheduleRetry(record, delivery, this.options.now())) {
          const { event } = delivery;
          const message = 'A webhook was never acknowledged; no more attempts follow.';
          this.logger.warn({ message, predictionId: record.id, event });
        }
        await this.options.store.save(record);
      });
    } finally {
      this.sending.delete(delivery);
    }
  }
}

function seedFor(record: PredictionRecord): number {
  const { seed } = record.input;
  return typeof seed === 'number' && Number.isInteger(seed) ? seed : seedOf(record.id) % 1_000_000;
}

/** The style named by the deployment or model. Any other name is mapped to a style by its hash. */
function styleFor({ target }: PredictionRecord): ArtStyle {
  const name = (target.deployment ?? target.model).split('/').at(-1) ?? '';
  if (isArtStyle(name)) return name;
  return (
    ART_STYLES[seedOf(`${target.deployment}|${target.model}|${target.version}`) % ART_STYLES.length] ?? 'landscape'
  );
}

async function drawPicture(record: PredictionRecord, longest: number): Promise<Buffer> {
  const prompt = withoutMarkers(record.input.prompt);
  return renderArt({ style: styleFor(record), prompt, seed: seedFor(record), ...sizeOf(record) }, longest);
}

/** The size in pixels: that of the ratio, as in Flux, otherwise width and height. */
function sizeOf({ input }: PredictionRecord): { readonly width: number; readonly height: number } {
  const shape = Object.values(DRAWN_SHAPES).find(({ ratio }) => ratio === input.aspect_ratio);
  return { width: shape?.width ?? clampSize(input.width), height: shape?.height ?? clampSize(input.height) };
}

function clampSize(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value)
    ? Math.min(MAX_SIZE, Math.max(MIN_SIZE, Math.round(value)))
    : DEFAULT_SIZE;
}

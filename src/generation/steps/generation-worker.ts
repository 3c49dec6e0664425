import { AsyncResource } from 'node:async_hooks';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { withoutLease } from '../../platform/database/lease-fence.js';
import { traced } from '../../platform/tracing/spans.js';
import { CreditCloser } from './close-credits.js';
import { GenerationFinisher } from './finish-generation.js';
import { PredictionRows } from '../rows/prediction-rows.js';
import { ImageProvider, PredictionNotFoundError } from '../providers/image-provider.js';
import { LOST_PREDICTION } from '../predictions/judge-prediction.js';
import { NOT_FOUND_GRACE_MS } from '../limits.js';
import { nextStep, type NextStep } from './next-step.js';
import { PredictionRecorder } from '../predictions/record-prediction.js';
import { type GenerationRow } from '../tables.js';
import { isTestPrediction } from '../providers/test-predictions.js';

/** Generations in work at once. Images take processor time and memory. */
const MAX_AT_ONCE = 4;

/** A guard against an endless loop: no row needs more steps at once. */
const MAX_STEPS = 12;

/** Performs the steps that rows need (`nextStep`), in the background and a few at a time. */
@Injectable()
export class GenerationWorker implements BeforeApplicationShutdown {
  private readonly logger = new Logger(GenerationWorker.name);
  /** Each runs its work in the context of the call that asked for it. */
  private readonly waiting = new Map<string, (work: () => void) => void>();
  private readonly running = new Map<string, Promise<void>>();
  private stopped = false;

  constructor(
    private readonly rows: PredictionRows,
    private readonly provider: ImageProvider,
    private readonly recorder: PredictionRecorder,
    private readonly finisher: GenerationFinisher,
    private readonly credits: CreditCloser,
    private readonly clock: Clock,
  ) {}

  /** Schedules work on this generation. Repeated calls are harmless. */
  kick(id: string): void {
    if (this.stopped) return;
    // It goes on after a lock under which it was found.
    withoutLease(() => {
      this.waiting.set(
        id,
        AsyncResource.bind((work: () => void) => work()),
      );
      this.startWaiting();
    });
  }

  /** Resolves when nothing is being worked on. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running.values());
  }

  /** Waits for the running steps before the connections close. The rest continues after the next start. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    this.waiting.clear();
    await this.idle();
  }

  private startWaiting(): void {
    for (const [id, within] of this.waiting) {
      if (this.running.size >= MAX_AT_ONCE) return;
      if (this.running.has(id)) continue;
      this.waiting.delete(id);
      within(() => void this.running.set(id, this.run(id)));
    }
  }

  private async run(id: string): Promise<void> {
    try {
      await this.advance(id);
    } catch (error) {
      this.logger.error('Work on a generation failed; it is retried.', { generationId: id, error });
    } finally {
      this.running.delete(id);
      this.startWaiting();
    }
  }

  private async advance(id: string): Promise<void> {
    let lastRevision = 0;
    for (let count = 0; count < MAX_STEPS && !this.stopped; count += 1) {
      const row = await this.rows.find(id);
      if (!row || row.revision === lastRevision) return;
      lastRevision = row.revision;
      const step = nextStep(row, this.clock.now());
      if (step.kind === 'none' || step.kind === 'wait') return;
      try {
        const attributes = { 'fanvas.generation.id': id };
        await traced(`generation ${step.kind}`, { root: true, attributes }, () => this.perform(row, step));
      } catch (error) {
        const details = { generationId: id, step: step.kind, attempts: row.attempts + 1, error };
        // Transient failures are expected; alert after three.
        if (row.attempts < 3) this.logger.warn('A step of a generation failed; it is retried.', details);
        else this.logger.error('A step of a generation keeps failing; it is retried.', details);
        await this.rows.postpone(row);
        return;
      }
    }
  }

  private async perform(row: GenerationRow, step: NextStep): Promise<void> {
    switch (step.kind) {
      case 'fail':
        await this.rows.step('fail', () => this.rows.fail(row.id, step.failure, { revision: row.revision }));
        return;
      case 'poll':
        return this.poll(row);
      case 'finish':
        return this.finisher.finish(row);
      case 'settle':
        return this.credits.settle(row);
      case 'refund':
        await this.credits.refund(row);
        return;
      case 'cancel-at-provider':
        return this.cancelAtProvider(row);
      case 'let-it-run':
        this.logger.warn('Cancelling an unwanted prediction failed; it is left running.', { generationId: row.id });
        return this.rows.closeProvider(row.id);
      case 'none':
      case 'wait':
        return;
    }
  }

  private async poll(row: GenerationRow): Promise<void> {
    if (row.prediction_id === null) return;
    if (isTestPrediction(row.prediction_id)) return this.rows.pollLater(row);
    try {
      const prediction = await this.provider.get(row.prediction_id);
      await this.recorder.record(row, prediction);
    } catch (error) {
      if (!(error instanceof PredictionNotFoundError)) throw error;
      if (this.clock.now().getTime() - row.created_at.getTime() < NOT_FOUND_GRACE_MS) {
        return this.rows.pollLater(row);
      }
      await this.rows.step('fail', () => this.rows.fail(row.id, LOST_PREDICTION, { revision: row.revision }));
    }
  }

  private async cancelAtProvider(row: GenerationRow): Promise<void> {
    const { prediction_id: predictionId } = row;
    if (predictionId === null) return;
    if (isTestPrediction(predictionId)) return this.rows.closeProvider(row.id);
    await this.rows.step('cancel-at-provider', async () => {
      try {
        await this.provider.cancel(predictionId);
      } catch (error) {
        if (!(error instanceof PredictionNotFoundError)) throw error;
      }
      await this.rows.closeProvider(row.id);
    });
  }
}

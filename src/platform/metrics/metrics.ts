import { Injectable, Logger } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Full name of a metric, so that it can be searched for: unit last (`_seconds`, `_bytes`), `_total` for counters. */
export type MetricName = `fanvas_${string}`;

interface Declaration<Label extends string> {
  readonly name: MetricName;
  /** One sentence: what is counted or measured. */
  readonly help: string;
  /** Few values each, known beforehand: never an id, an address or anything that a caller sends. */
  readonly labels?: readonly Label[];
}

/**
 * What this app counts and measures, for `/metrics`. One instance an app: declare each metric once, in the constructor of
 * whoever counts, and keep what is returned. Nothing is global, so several apps live in one test process.
 */
@Injectable()
export class Metrics {
  private readonly logger = new Logger(Metrics.name);
  private readonly registry = new Registry();
  private readonly refreshes: (() => void | Promise<void>)[] = [];

  /** Only goes up: `inc()`. */
  counter<Label extends string = never>({ name, help, labels = [] }: Declaration<Label>): Counter<Label> {
    return new Counter({ name, help, labelNames: [...labels], registers: [this.registry] });
  }

  /** Goes up and down: `set()`. `collect` is run before the metrics are shown, as in `beforeShown`. */
  gauge<Label extends string = never>({
    name,
    help,
    labels = [],
    collect,
  }: Declaration<Label> & { readonly collect?: (gauge: Gauge<Label>) => void | Promise<void> }): Gauge<Label> {
    const gauge = new Gauge<Label>({ name, help, labelNames: [...labels], registers: [this.registry] });
    if (collect) this.beforeShown(() => collect(gauge));
    return gauge;
  }

  /**
   * Runs `refresh` whenever somebody asks for the metrics, and shows them afterwards. One that fails is logged, and the others are
   * shown: what is known of a process counts most when its database is gone.
   */
  beforeShown(refresh: () => void | Promise<void>): void {
    this.refreshes.push(refresh);
  }

  /** Counts values by size: `observe()`. `buckets` are upper bounds in the unit of the name. */
  histogram<Label extends string = never>({
    name,
    help,
    labels = [],
    buckets,
  }: Declaration<Label> & { readonly buckets: readonly number[] }): Histogram<Label> {
    return new Histogram({
      ...{ name, help, labelNames: [...labels], buckets: [...buckets] },
      registers: [this.registry],
    });
  }

  /** Adds what is known of every Node process: memory, CPU, event loop, garbage collection. Once an app. */
  includeProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** All metrics in the Prometheus text format, of this content type. */
  async text(): Promise<{ readonly contentType: string; readonly body: string }> {
    await Promise.all(this.refreshes.map((refresh) => this.attempt(refresh)));
    return { contentType: this.registry.contentType, body: await this.registry.metrics() };
  }

  private async attempt(refresh: () => void | Promise<void>): Promise<void> {
    try {
      await refresh();
    } catch (error) {
      this.logger.warn({ message: 'Some metrics are shown as they were.', error });
    }
  }
}

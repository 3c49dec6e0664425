import { Injectable, Logger } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Full name of a metric, so that it can be searched for: unit last (`_seconds`, `_bytes`), `_total` for counters. */
export type MetricName = `fanvas_${string}`;

interface Declaration<Label extends string> {
  readonly name: MetricName;
  /** One sentence that says what is counted or measured. */
  readonly help: string;
  /** Each label has few values, known beforehand: never an id, an address or input of a caller. */
  readonly labels?: readonly Label[];
}

/**
 * The metrics of this app, for `/metrics`. One instance per app: declare each metric once, in the constructor of the
 * class that counts, and keep the returned object. Nothing is global, so several apps can run in one test process.
 */
@Injectable()
export class Metrics {
  private readonly logger = new Logger(Metrics.name);
  private readonly registry = new Registry();
  private readonly refreshes: (() => void | Promise<void>)[] = [];

  /** Declares a metric that only rises: `inc()`. */
  counter<Label extends string = never>({ name, help, labels = [] }: Declaration<Label>): Counter<Label> {
    return new Counter({ name, help, labelNames: [...labels], registers: [this.registry] });
  }

  /** Declares a metric that rises and falls: `set()`. `collect` runs before each scrape, as in `beforeShown`. */
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
   * Runs `refresh` before each scrape. A failure is logged, and the other metrics are still served: metrics of the
   * process matter most when its database is down.
   */
  beforeShown(refresh: () => void | Promise<void>): void {
    this.refreshes.push(refresh);
  }

  /** Declares a distribution of values: `observe()`. `buckets` are upper bounds in the unit of the name. */
  histogram<Label extends string = never>({
    name,
    help,
    labels = [],
    buckets,
  }: Declaration<Label> & { readonly buckets: readonly number[] }): Histogram<Label> {
    return new Histogram({
      name,
      help,
      labelNames: [...labels],
      buckets: [...buckets],
      registers: [this.registry],
    });
  }

  /** Adds the metrics of the Node process: memory, CPU, event loop, garbage collection. Call it once. */
  includeProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Returns all metrics in the Prometheus text format. */
  async text(): Promise<{ readonly contentType: string; readonly body: string }> {
    await Promise.all(this.refreshes.map((refresh) => this.attempt(refresh)));
    return { contentType: this.registry.contentType, body: await this.registry.metrics() };
  }

  private async attempt(refresh: () => void | Promise<void>): Promise<void> {
    try {
      await refresh();
    } catch (error) {
      this.logger.warn({ message: 'Some metrics could not be refreshed; their last values are served.', error });
    }
  }
}

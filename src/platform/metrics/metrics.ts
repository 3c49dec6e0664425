import { Injectable, Logger } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const EVENT_LOOP_PRECISION_MS = 100;

/** Full name of a metric, so that it can be searched for: unit last (`_seconds`, `_bytes`), `_total` for counters. */
export type MetricName = `fanvas_${string}`;

interface Declaration<Label extends string> {
  readonly name: MetricName;
  /** One sentence that says what is counted or measured. */
  readonly help: string;
  /** Each label has few values, known beforehand: never an id, an address or input of a caller. */
  readonly labels?: readonly Label[];
}

interface Shared {
  readonly shared?: boolean;
}

/** Decides whether this process shows the metrics of the database. */
export interface Exporter {
  exportsShared(): Promise<boolean>;
}

/** Metrics with the work before they are shown. */
interface Part {
  readonly registry: Registry;
  readonly refreshes: (() => void | Promise<void>)[];
}

function newPart(): Part {
  return { registry: new Registry(), refreshes: [] };
}

/**
 * The metrics of this app, for `/metrics`. One instance per app: declare each metric once, in the constructor of the
 * class that counts, and keep the returned object. Nothing is global, so several apps can run in one test process.
 */
@Injectable()
export class Metrics {
  private readonly logger = new Logger(Metrics.name);
  private readonly own = newPart();
  private readonly shared = newPart();
  private exporter: Exporter = { exportsShared: () => Promise.resolve(true) };

  /** Sets who decides whether this process shows the shared metrics. By default it shows them. */
  exportSharedAs(exporter: Exporter): void {
    this.exporter = exporter;
  }

  /** Declares a metric that only rises: `inc()`. */
  counter<Label extends string = never>({ name, help, labels = [] }: Declaration<Label>): Counter<Label> {
    return new Counter({ name, help, labelNames: [...labels], registers: [this.own.registry] });
  }

  /**
   * Declares a metric that rises and falls: `set()`. `collect` runs before each scrape, as in `beforeShown`.
   * `shared`: it is a figure of the database, which all processes would show; only one of them does.
   */
  gauge<Label extends string = never>({
    name,
    help,
    labels = [],
    shared = false,
    collect,
  }: Declaration<Label> & Shared & { readonly collect?: (gauge: Gauge<Label>) => void | Promise<void> }): Gauge<Label> {
    const { registry } = shared ? this.shared : this.own;
    const gauge = new Gauge<Label>({ name, help, labelNames: [...labels], registers: [registry] });
    if (collect) this.beforeShown(() => collect(gauge), { shared });
    return gauge;
  }

  /**
   * Runs `refresh` before each scrape, that of shared gauges only where they are shown. A failure is logged, and the
   * other metrics are still served: metrics of the process matter most when its database is down.
   */
  beforeShown(refresh: () => void | Promise<void>, { shared = false }: Shared = {}): void {
    (shared ? this.shared : this.own).refreshes.push(refresh);
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
      registers: [this.own.registry],
    });
  }

  /** Adds the metrics of the Node process: memory, CPU, event loop, garbage collection. Call it once. */
  includeProcess(): void {
    // Its default of 10 ms wakes an idle process a hundred times a second.
    collectDefaultMetrics({ register: this.own.registry, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS });
  }

  /** Returns all metrics in the Prometheus text format. */
  async text(): Promise<{ readonly contentType: string; readonly body: string }> {
    const parts = (await this.showsShared()) ? [this.own, this.shared] : [this.own];
    await Promise.all(parts.flatMap(({ refreshes }) => refreshes.map((refresh) => this.attempt(refresh))));
    const texts = await Promise.all(parts.map(({ registry }) => registry.metrics()));
    return { contentType: this.own.registry.contentType, body: texts.join('\n') };
  }

  private async showsShared(): Promise<boolean> {
    try {
      return await this.exporter.exportsShared();
    } catch (error) {
      this.logger.warn({ message: 'The metrics of the database are not shown.', error });
      return false;
    }
  }

  private async attempt(refresh: () => void | Promise<void>): Promise<void> {
    try {
      await refresh();
    } catch (error) {
      this.logger.warn({ message: 'Some metrics could not be refreshed; their last values are served.', error });
    }
  }
}

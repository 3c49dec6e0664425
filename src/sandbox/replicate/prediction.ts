import { randomBytes } from 'node:crypto';
import { type Faults, readFaults } from './faults.js';

/** Replicate deletes inputs, outputs, logs and files this long after the end. */
export const RETENTION_MS = 60 * 60_000;

/** Nothing runs longer than this at Replicate. */
const LONGEST_RUN_MS = 30 * 60_000;

/** `[[slow]]` and `[[cold]]` without a number. */
const SLOW_MS = 8_000;
const COLD_MS = 5_000;

/** Lines of progress that a run writes into its log. */
const LOG_LINES = 3;

export const WEBHOOK_EVENTS = ['start', 'output', 'logs', 'completed'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export type Status = 'starting' | 'processing' | 'succeeded' | 'failed' | 'canceled' | 'aborted';

/** What was asked to draw: one of the three routes. */
export interface Target {
  readonly deployment: string | null;
  readonly model: string;
  readonly version: string;
}

/** A webhook that is to be sent, with the body of its moment. */
export interface Delivery {
  readonly id: string;
  readonly event: WebhookEvent;
  readonly body: string;
  attempts: number;
  /** Milliseconds since the epoch. */
  dueAt: number;
}

/** Everything that is known of one prediction, as it is kept on disk. Times are milliseconds since the epoch. */
export interface PredictionRecord {
  readonly id: string;
  readonly target: Target;
  input: Readonly<Record<string, unknown>>;
  readonly webhook: string | null;
  readonly webhookEvents: readonly WebhookEvent[];
  readonly faults: Faults;
  readonly createdAt: number;
  readonly startsAt: number;
  readonly runMs: number;
  /** From `Cancel-After`; null: none but Replicate's own. */
  readonly deadlineAt: number | null;
  status: Status;
  startedAt: number | null;
  completedAt: number | null;
  /** Names below `/files/`. */
  output: readonly string[] | null;
  error: string | null;
  logs: string;
  dataRemoved: boolean;
  deliveries: Delivery[];
}

export interface Pace {
  /** From the creation to the start. */
  readonly coldMs: number;
  /** From the start to the picture. */
  readonly runMs: number;
}

export interface NewPrediction {
  readonly target: Target;
  readonly input: Readonly<Record<string, unknown>>;
  readonly webhook: string | null;
  readonly webhookEvents: readonly WebhookEvent[];
  readonly cancelAfterMs: number | null;
}

export function createRecord(request: NewPrediction, pace: Pace, now: number): PredictionRecord {
  const faults = readFaults(request.input.prompt);
  return {
    id: newId(),
    target: request.target,
    input: request.input,
    webhook: request.webhook,
    webhookEvents: request.webhookEvents,
    faults,
    createdAt: now,
    startsAt: now + durationOf(faults.cold, COLD_MS, pace.coldMs),
    runMs: durationOf(faults.slow, SLOW_MS, pace.runMs),
    deadlineAt: request.cancelAfterMs === null ? null : now + request.cancelAfterMs,
    status: 'starting',
    startedAt: null,
    completedAt: null,
    output: null,
    error: null,
    logs: '',
    dataRemoved: false,
    deliveries: [],
  };
}

function durationOf(fault: number | true | undefined, byDefault: number, without: number): number {
  return fault === undefined ? without : fault === true ? byDefault : fault;
}

function newId(): string {
  const alphabet = 'abcdefghjkmnpqrstvwxyz0123456789';
  return [...randomBytes(26)].map((byte) => alphabet[byte % alphabet.length]).join('');
}

export const isEnded = (record: PredictionRecord): boolean =>
  record.status !== 'starting' && record.status !== 'processing';

/** What happens to a prediction next, and when. */
export type Step =
  | { readonly kind: 'start' | 'draw' | 'deadline' | 'expire'; readonly at: number }
  | { readonly kind: 'log'; readonly at: number; readonly line: number };

/**
 * The next step of a prediction's own life. It depends on the record alone, so that a restarted process finds it again.
 * Null when nothing more will happen.
 */
export function nextStep(record: PredictionRecord): Step | null {
  if (isEnded(record)) {
    return record.dataRemoved || record.completedAt === null
      ? null
      : { kind: 'expire', at: record.completedAt + RETENTION_MS };
  }
  const steps: Step[] = [{ kind: 'deadline', at: endOfPatience(record) }];
  if (record.startedAt === null) steps.push({ kind: 'start', at: record.startsAt });
  else {
    const written = record.logs.split('\n').filter((line) => line.includes('%|')).length;
    if (written < LOG_LINES && record.runMs > 0) {
      const at = record.startedAt + (record.runMs * (written + 1)) / (LOG_LINES + 1);
      steps.push({ kind: 'log', at, line: written + 1 });
    }
    if (!record.faults.hang && !record.faults.timeout)
      steps.push({ kind: 'draw', at: record.startedAt + record.runMs });
  }
  return steps.reduce((first, step) => (step.at < first.at ? step : first));
}

function endOfPatience(record: PredictionRecord): number {
  const longest = (record.startedAt ?? record.startsAt) + LONGEST_RUN_MS;
  return Math.min(record.deadlineAt ?? longest, longest);
}

/** A line of the kind that the SDK's `parseProgressFromLogs` reads. */
export function logLine(line: number): string {
  const percent = Math.round((line * 100) / (LOG_LINES + 1));
  return `${String(percent).padStart(3)}%|${'█'.repeat(percent / 5).padEnd(20)}| ${line * 7}/28 [00:00<00:00, 25.00it/s]\n`;
}

/** How a run ends that is not meant to bring a picture; null when it is. */
export function failureOf(faults: Faults): string | null {
  if (faults.nsfw) return 'NSFW content detected. Try running it again, or try a different prompt.';
  if (faults.oom) return 'CUDA out of memory. Tried to allocate 2.50 GiB (GPU 0; 39.39 GiB total capacity)';
  if (faults.fail) return 'Prediction interrupted; please retry (code: PA)';
  return null;
}

/** The prediction as the API and its webhooks show it. @param baseUrl of the sandbox, without a slash at its end */
export function viewOf(record: PredictionRecord, baseUrl: string): object {
  const { target } = record;
  return {
    id: record.id,
    model: target.model,
    version: target.version,
    ...(target.deployment === null ? {} : { deployment: target.deployment }),
    input: record.input,
    logs: record.logs,
    output: record.output?.map((name) => `${baseUrl}/files/${name}`) ?? null,
    data_removed: record.dataRemoved,
    error: record.error,
    source: 'api',
    status: record.status,
    created_at: iso(record.createdAt),
    started_at: iso(record.startedAt),
    completed_at: iso(record.completedAt),
    ...(record.deadlineAt === null ? {} : { deadline: iso(record.deadlineAt) }),
    metrics: metricsOf(record),
    ...(record.webhook === null ? {} : { webhook: record.webhook, webhook_events_filter: record.webhookEvents }),
    urls: {
      get: `${baseUrl}/v1/predictions/${record.id}`,
      cancel: `${baseUrl}/v1/predictions/${record.id}/cancel`,
      web: `${baseUrl}/p/${record.id}`,
    },
  };
}

function metricsOf({ createdAt, startedAt, completedAt }: PredictionRecord): object {
  if (completedAt === null || startedAt === null) return {};
  return { predict_time: (completedAt - startedAt) / 1000, total_time: (completedAt - createdAt) / 1000 };
}

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

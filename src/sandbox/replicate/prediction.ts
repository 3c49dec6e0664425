import { randomBytes } from 'node:crypto';
import { all } from '../same-fields.js';
import { type Faults, readFaults } from './faults.js';

/** Replicate deletes inputs, outputs, logs and files this long after a prediction ends. */
export const RETENTION_MS = 60 * 60_000;

/** Replicate's limit of a run. */
const MAX_RUN_MS = 30 * 60_000;

/** Durations of `[[slow]]` and `[[cold]]` without a number. */
const SLOW_MS = 8_000;
const COLD_MS = 5_000;

/** Progress lines that a run writes to its log. */
const LOG_LINES = 3;

export const WEBHOOK_EVENTS = ['start', 'output', 'logs', 'completed'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export type Status = 'starting' | 'processing' | 'succeeded' | 'failed' | 'canceled' | 'aborted';

/** The requested deployment, model or version. */
export interface Target {
  readonly deployment: string | null;
  readonly model: string;
  readonly version: string;
}

/** A webhook to be sent; its body is the prediction at the time of the event. */
export interface Delivery {
  readonly id: string;
  readonly event: WebhookEvent;
  readonly body: string;
  attempts: number;
  /** Milliseconds since the epoch. */
  dueAt: number;
}

/** A prediction as stored on disk. Times are in milliseconds since the epoch. */
export interface PredictionRecord extends Omit<NewPrediction, 'input' | 'cancelAfterMs'> {
  readonly id: string;
  input: NewPrediction['input'];
  readonly faults: Faults;
  readonly createdAt: number;
  readonly startsAt: number;
  readonly runMs: number;
  /** From `Cancel-After`; null leaves only Replicate's own limit. */
  readonly deadlineAt: number | null;
  status: Status;
  startedAt: number | null;
  completedAt: number | null;
  /** Names below `/files/`. */
  output: readonly string[] | null;
  /** The output of a text model; absent for pictures. */
  text?: string;
  error: string | null;
  logs: string;
  dataRemoved: boolean;
  deliveries: Delivery[];
}

export interface Pace {
  /** Milliseconds from creation to start. */
  readonly coldMs: number;
  /** Milliseconds from start to output. */
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
  const { cancelAfterMs, ...wanted } = request;
  const faults = readFaults(wanted.input.prompt);
  return {
    id: newId(),
    ...wanted,
    faults,
    createdAt: now,
    startsAt: now + faultDuration(faults.cold, COLD_MS, pace.coldMs),
    runMs: faultDuration(faults.slow, SLOW_MS, pace.runMs),
    deadlineAt: cancelAfterMs === null ? null : now + cancelAfterMs,
    status: 'starting',
    ...all(null, 'startedAt completedAt output error'),
    logs: '',
    dataRemoved: false,
    deliveries: [],
  };
}

function faultDuration(fault: number | true | undefined, faultDefault: number, withoutFault: number): number {
  if (fault === undefined) return withoutFault;
  return fault === true ? faultDefault : fault;
}

function newId(): string {
  const alphabet = 'abcdefghjkmnpqrstvwxyz0123456789';
  return [...randomBytes(26)].map((byte) => alphabet[byte % alphabet.length]).join('');
}

export const isEnded = (record: PredictionRecord): boolean =>
  record.status !== 'starting' && record.status !== 'processing';

/** The next scheduled step of a prediction. */
export type Step =
  | { readonly kind: 'start' | 'draw' | 'deadline' | 'expire'; readonly at: number }
  | { readonly kind: 'log'; readonly at: number; readonly line: number };

/**
 * The next scheduled step, or null when none is left. It depends on the record alone, so that a restarted process
 * computes the same.
 */
export function nextStep(record: PredictionRecord): Step | null {
  if (isEnded(record)) {
    return record.dataRemoved || record.completedAt === null
      ? null
      : { kind: 'expire', at: record.completedAt + RETENTION_MS };
  }
  const steps: Step[] = [{ kind: 'deadline', at: effectiveDeadline(record) }];
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

function effectiveDeadline(record: PredictionRecord): number {
  const limit = (record.startedAt ?? record.startsAt) + MAX_RUN_MS;
  return Math.min(record.deadlineAt ?? limit, limit);
}

/** A progress line that the SDK's `parseProgressFromLogs` understands. */
export function logLine(line: number): string {
  const percent = Math.round((line * 100) / (LOG_LINES + 1));
  return `${String(percent).padStart(3)}%|${'█'.repeat(percent / 5).padEnd(20)}| ${line * 7}/28 [00:00<00:00, 25.00it/s]\n`;
}

/** The error message of a requested failure; null when the run is to succeed. */
export function failureMessage(faults: Faults): string | null {
  if (faults.nsfw) return 'NSFW content detected. Try running it again, or try a different prompt.';
  if (faults.oom) return 'CUDA out of memory. Tried to allocate 2.50 GiB (GPU 0; 39.39 GiB total capacity)';
  if (faults.fail) return 'Prediction interrupted; please retry (code: PA)';
  return null;
}

/** Whether the model answers with a verdict on its prompt instead of a picture. */
export function isClassifier({ target }: PredictionRecord): boolean {
  return /\/llama-guard/.test(target.model);
}

/** The verdict of a classifier: safe, unless the prompt requests another one. */
export function verdictOf({ faults }: PredictionRecord): string {
  if (faults.corrupt) return 'The prompt could not be judged.';
  return faults.unsafe === undefined ? 'safe' : `unsafe\nS${Number(faults.unsafe)}`;
}

/** The prediction as the API and its webhooks return it. @param baseUrl of the sandbox, without a trailing slash */
export function toApiPrediction(record: PredictionRecord, baseUrl: string): object {
  const { target } = record;
  return {
    id: record.id,
    model: target.model,
    version: target.version,
    ...(target.deployment === null ? {} : { deployment: target.deployment }),
    input: record.input,
    logs: record.logs,
    output: record.text ?? record.output?.map((name) => `${baseUrl}/files/${name}`) ?? null,
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

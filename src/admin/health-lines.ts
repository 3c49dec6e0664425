import { type HealthLine } from '../contract/admin.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../contract/durations.js';

/** The facts that the health is judged by. Counts end at 10,000. A time is null when nothing waits. */
export interface HealthFacts {
  readonly ledger: {
    readonly problems: number;
    /** Everything stored before this instant is verified; null before the first run. */
    readonly verifiedUntil: Date | null;
    /** The newest seal that has reached all its targets. */
    readonly sealedAt: Date | null;
  };
  readonly projections: {
    readonly oldestUnapplied: Date | null;
    readonly building: readonly string[];
    readonly failing: readonly string[];
  };
  /** Steps of generations that are due, without the last minute. */
  readonly images: { readonly dueImages: number; readonly oldestDue: Date | null };
  /** Images that ended within the last hour, at most the newest 1,000. */
  readonly provider: {
    readonly ended: number;
    readonly failed: number;
    /** Status with which the provider has refused our account since the last image that it accepted; null for none. */
    readonly refusal: number | null;
  };
  readonly payments: {
    /** Events of the processor that are not handled. */
    readonly waiting: number;
    readonly oldestWaiting: Date | null;
    readonly problems: number;
  };
  readonly closings: { readonly open: number; readonly oldest: Date | null };
  readonly files: {
    /** Files whose deletion is overdue by an hour. */
    readonly overdue: number;
    /** Free space of the data folder's file system; null when it is unknown. */
    readonly free: { readonly bytes: number; readonly share: number } | null;
  };
}

type State = HealthLine['state'];

const GIGABYTE_BYTES = 1e9;

/** Answers the first questions of an operator, with the next step. */
export function healthLines(facts: HealthFacts, now: Date): HealthLine[] {
  const { ledger, projections, images, provider, payments, closings, files } = facts;
  return [
    ledgerLine(ledger, now),
    sealLine(ledger, now),
    projectionLine(projections, now),
    imageLine(images, now),
    providerLine(provider),
    paymentLine(payments, now),
    closingLine(closings, now),
    fileLine(files),
  ];
}

function ledgerLine({ problems, verifiedUntil }: HealthFacts['ledger'], now: Date): HealthLine {
  const name = 'Ledger';
  if (problems > 0) {
    const sentence = `The verification knows ${counted(problems, 'problem')}.`;
    return line(name, 'bad', sentence, 'Run `npm run ledger -- verify` and follow docs/ledger-audit.md.');
  }
  if (verifiedUntil === null) {
    return line(name, 'watch', 'Nothing is verified yet.', 'Wait for the first run, which starts within a minute.');
  }
  const age = ageOf(verifiedUntil, now);
  const sentence = `No problems; verified until ${ago(age)}.`;
  return line(
    name,
    level(age, 10 * MINUTE_MS, HOUR_MS),
    sentence,
    'Look for failed runs of the verification in the log.',
  );
}

function sealLine({ sealedAt }: HealthFacts['ledger'], now: Date): HealthLine {
  const todo = 'Look for failed seals in the log, and check the targets of seals.';
  if (sealedAt === null) return line('Seals', 'watch', 'The ledger has no published seal.', todo);
  const age = ageOf(sealedAt, now);
  return line('Seals', level(age, 26 * HOUR_MS, 50 * HOUR_MS), `The last seal was made ${ago(age)}.`, todo);
}

function projectionLine({ oldestUnapplied, building, failing }: HealthFacts['projections'], now: Date): HealthLine {
  const name = 'Projections';
  if (failing.length > 0) {
    const todo = 'Read the error in the log. Balances and figures are behind until it is fixed.';
    return line(name, 'bad', `Failing: ${failing.join(', ')}.`, todo);
  }
  const age = oldestUnapplied === null ? 0 : ageOf(oldestUnapplied, now);
  if (building.length > 0) {
    const todo = 'Wait until it is complete: `npm run projections` shows the progress.';
    return line(name, 'watch', `Being built: ${building.join(', ')}.`, todo);
  }
  const sentence =
    age < MINUTE_MS ? 'Balances and figures are up to date.' : `Balances and figures are ${span(age)} behind.`;
  return line(
    name,
    level(age, MINUTE_MS, 10 * MINUTE_MS),
    sentence,
    '`npm run projections` shows which one is behind.',
  );
}

function imageLine({ dueImages, oldestDue }: HealthFacts['images'], now: Date): HealthLine {
  const name = 'Images';
  if (oldestDue === null) return line(name, 'well', 'No image waits for its next step.', null);
  const age = ageOf(oldestDue, now);
  const sentence = `${counted(dueImages, 'image')} ${dueImages === 1 ? 'waits' : 'wait'} for the next step, the oldest for ${span(age)}.`;
  const todo = 'Check that a server runs, and look for failed steps of generations in the log.';
  return line(name, level(age, 5 * MINUTE_MS, 30 * MINUTE_MS), sentence, todo);
}

/** Few images say nothing about the provider. */
const ENOUGH_IMAGES = 5;

/** Refusals of our account by the image provider: the cause, and the next step. */
const REFUSALS: Readonly<Record<number, readonly [string, string]>> = {
  401: [
    'The image provider refuses our token (401).',
    'Make a new token at replicate.com/account/api-tokens, set REPLICATE_API_TOKEN and restart.',
  ],
  402: [
    'Our account at the image provider has no credit (402).',
    'Add credit at replicate.com/account/billing. No restart is needed.',
  ],
  403: [
    'Our account may not use a model of the image provider (403).',
    "Check that REPLICATE_API_TOKEN belongs to the account that owns the creators' models.",
  ],
};

function providerLine({ ended, failed, refusal }: HealthFacts['provider']): HealthLine {
  const name = 'Image provider';
  const [cause, todo] = REFUSALS[refusal ?? 0] ?? [];
  if (cause !== undefined && todo !== undefined) return line(name, 'bad', cause, todo);
  if (ended === 0) return line(name, 'well', 'No image has ended within the last hour.', null);
  const sentence = `${failed} of ${counted(ended, 'image')} failed within the last hour.`;
  const share = failed / ended;
  const state = ended < ENOUGH_IMAGES || share < 0.2 ? 'well' : share < 0.5 ? 'watch' : 'bad';
  return line(name, state, sentence, 'Look at the status page of the image provider. Failed images are refunded.');
}

function paymentLine({ waiting, oldestWaiting, problems }: HealthFacts['payments'], now: Date): HealthLine {
  const name = 'Payments';
  const age = oldestWaiting === null ? 0 : ageOf(oldestWaiting, now);
  const state = level(age, 5 * MINUTE_MS, HOUR_MS);
  if (state !== 'well') {
    const verb = waiting === 1 ? 'waits' : 'wait';
    const sentence = `${counted(waiting, 'event')} of the payment processor ${verb}, the oldest for ${span(age)}.`;
    return line(name, state, sentence, 'Follow docs/runbooks/payments.md.');
  }
  if (problems > 0) {
    const sentence = `${counted(problems, 'payment')} ${problems === 1 ? 'needs' : 'need'} a person.`;
    return line(name, 'watch', sentence, 'Open the payment problems below Users.');
  }
  return line(name, 'well', 'All events of the payment processor are handled.', null);
}

function closingLine({ open, oldest }: HealthFacts['closings'], now: Date): HealthLine {
  const name = 'Closed accounts';
  if (oldest === null) return line(name, 'well', 'No closing is unfinished.', null);
  const age = ageOf(oldest, now);
  const sentence = `${counted(open, 'closing')} ${open === 1 ? 'is' : 'are'} unfinished, the oldest for ${span(age)}.`;
  return line(name, level(age, DAY_MS, 7 * DAY_MS), sentence, 'Follow docs/runbooks/closing.md.');
}

function fileLine({ overdue, free }: HealthFacts['files']): HealthLine {
  const name = 'Files';
  const space = free && `${(free.bytes / GIGABYTE_BYTES).toFixed(1)} GB (${Math.round(free.share * 100)} %) are free`;
  if (free && (free.bytes < GIGABYTE_BYTES || free.share < 0.02)) {
    return line(name, 'bad', `Only ${space}.`, 'Add space: images and events cannot be stored when it is used up.');
  }
  if (overdue > 0) {
    const sentence = `${counted(overdue, 'file')} should have been deleted an hour ago.`;
    return line(name, 'watch', sentence, 'Look for failed deletions of files in the log.');
  }
  if (free && (free.bytes < 5 * GIGABYTE_BYTES || free.share < 0.1)) {
    return line(name, 'watch', `Only ${space}.`, 'Add space within the next days.');
  }
  return line(name, 'well', space ? `${space}.` : 'All deletions are done.', null);
}

/** A line without a next step when all is well. */
function line(name: string, state: State, sentence: string, todo: string | null): HealthLine {
  return { name, state, what: sentence, todo: state === 'well' ? null : todo };
}

function level(age: number, watch: number, bad: number): State {
  if (age < watch) return 'well';
  return age < bad ? 'watch' : 'bad';
}

function ageOf(since: Date, now: Date): number {
  return Math.max(0, now.getTime() - since.getTime());
}

function ago(age: number): string {
  return age < MINUTE_MS ? 'a moment ago' : `${span(age)} ago`;
}

/** `3 minutes`, `2 hours`, `4 days`. */
function span(age: number): string {
  if (age < HOUR_MS) return counted(Math.max(1, Math.floor(age / MINUTE_MS)), 'minute');
  if (age < 2 * DAY_MS) return counted(Math.floor(age / HOUR_MS), 'hour');
  return counted(Math.floor(age / DAY_MS), 'day');
}

function counted(count: number, noun: string): string {
  const figure = count >= 10_000 ? '10,000 or more' : String(count);
  return count === 1 ? `1 ${noun}` : `${figure} ${noun}s`;
}

import { ACCOUNT_STREAM_PREFIX, POLICY_STREAM } from '../../credits/index.js';
import {
  EARNINGS_STREAM_PREFIX,
  PAYOUT_STREAM_PREFIX,
  payoutsProjection,
  PROCESSOR_STREAM,
  processorProjection,
} from '../../finance/index.js';
import { type EventStore, StreamDeletedError } from '../../platform/event-store/event-store.js';
import { compareNames } from '../seals/signed-file.js';
import { AccountAudit } from './account-audit.js';
import { checkBundles } from './bundle-rows.js';
import { EarningAudit } from './earning-audit.js';
import { PayoutAudit } from './payout-audit.js';
import { PayoutCheck, payoutStreamsWithoutEvents } from './payout-check.js';
import { type PolicyAudit } from './policy-audit.js';
import { type PolicyCheck } from './policy-check.js';
import { type Report } from './problem-reports.js';
import { ProcessorAudit } from './processor-audit.js';
import { ProcessorCheck } from './processor-check.js';
import { type StreamAudit } from './stream-audit.js';
import { type LedgerStores } from './read-account.js';
import { type BeginStreamCheck } from './stream-check.js';

/** Numbers of verified events, by kind of stream. Those of accounts are counted with the accounts. */
export interface EventCounts {
  /** Events of the stream `policy`. */
  policyEvents: number;
  /** Events of payouts. */
  payoutEvents: number;
  /** Events of the earnings of creators. */
  earningEvents: number;
  /** Events of the processor. */
  processorEvents: number;
}

/** A kind of streams of the ledger. */
export interface StreamKind<Audit extends StreamAudit = StreamAudit> {
  /** Start of the names of its streams. */
  readonly prefix: string;
  /** There is one stream, and `prefix` is its name. */
  readonly isSingle?: true;
  /** Its events can be older than the store: then a record of an import names them. */
  readonly hasPast?: true;
  /** The continuous verification follows its events by a check of its own, not stream by stream. */
  readonly isFollowed?: true;
  /** Checks one stream by its rules. @param policy has the audit of the stream `policy` */
  readonly audit: (stream: string, onProblem: Report, policy: PolicyCheck) => Audit;
  /** Null: groups of accounts are verified together, by `AccountVerifier`. */
  readonly checked: CheckedKind<Audit> | null;
}

/** How a kind of streams is verified stream by stream. */
export interface CheckedKind<Audit = StreamAudit> {
  readonly counted: keyof EventCounts;
  readonly checks: readonly BeginStreamCheck<Audit>[];
  /** Its checks read no rows of a stream, so that the events of several streams can be read at once. */
  readonly isReadTogether?: true;
  /** The projection whose rows the checks compare. */
  readonly projection?: { readonly name: string; readonly version: number };
  /** Finds the streams that rows refer to, and that the event store does not have. */
  readonly referred?: {
    /** The subject and the verb of a sentence: 'payouts have rows of it'. */
    readonly by: string;
    readonly missing: (sources: LedgerStores) => Promise<readonly string[]>;
  };
}

/** Makes the checks of an audit those of any stream: a check gets the audit that its own kind has made. */
function kind<Audit extends StreamAudit>(definition: StreamKind<Audit>): StreamKind {
  return definition as unknown as StreamKind;
}

/** The streams of accounts. */
export const ACCOUNTS = kind({
  prefix: ACCOUNT_STREAM_PREFIX,
  hasPast: true,
  isFollowed: true,
  checked: null,
  audit: (stream, onProblem) => new AccountAudit(stream, onProblem),
});

/**
 * Every kind of streams, in byte order of the names: this is the order of seals and exports. All that concerns every
 * kind follows this list: verification, continuous verification, seals, exports, imports and the public log.
 */
export const STREAM_KINDS: readonly StreamKind[] = [
  kind({
    prefix: EARNINGS_STREAM_PREFIX,
    hasPast: true,
    isFollowed: true,
    audit: (stream, onProblem) => new EarningAudit(stream, onProblem),
    checked: {
      counted: 'earningEvents',
      isReadTogether: true,
      checks: [({ earnings }, audit) => ({ after: () => earnings.addRecord(audit.creatorId, audit.share) })],
    },
  }),
  kind({
    prefix: PAYOUT_STREAM_PREFIX,
    hasPast: true,
    audit: (stream, onProblem) => new PayoutAudit(stream, onProblem),
    checked: {
      counted: 'payoutEvents',
      projection: payoutsProjection,
      checks: [
        PayoutCheck.begin,
        ({ payoutActs, isImported }) => ({
          after: (stored) => payoutActs.add(stored, isImported(stored)),
          end: () => payoutActs.endStream(),
        }),
      ],
      referred: { by: 'payouts have rows of it', missing: payoutStreamsWithoutEvents },
    },
  }),
  ACCOUNTS,
  kind({
    prefix: POLICY_STREAM,
    isSingle: true,
    isFollowed: true,
    audit: (_stream, _onProblem, policy): PolicyAudit => policy.audit,
    checked: {
      counted: 'policyEvents',
      checks: [checkBundles],
      referred: {
        by: 'prices of bundles refer to it',
        missing: missingIf(POLICY_STREAM, 'select from credit_bundle where policy_version is not null limit 1'),
      },
    },
  }),
  kind({
    prefix: PROCESSOR_STREAM,
    isSingle: true,
    audit: (_stream, onProblem) => new ProcessorAudit(onProblem),
    checked: {
      counted: 'processorEvents',
      projection: processorProjection,
      checks: [ProcessorCheck.begin],
      referred: {
        by: 'the books have lines of it',
        missing: missingIf(
          PROCESSOR_STREAM,
          'select from processor_entry union all select from book_closed_month limit 1',
        ),
      },
    },
  }),
];

/** The kind of a stream; undefined for a stream that does not belong to the ledger. */
export function kindOf(stream: string): StreamKind | undefined {
  return STREAM_KINDS.find(({ prefix, isSingle }) => (isSingle ? stream === prefix : stream.startsWith(prefix)));
}

/** The names of the streams of a kind in byte order, in pages. Deleted streams may be listed. */
export async function* streamsOf(
  eventStore: Pick<EventStore, 'streams' | 'readStream'>,
  { prefix, isSingle }: StreamKind,
  after: string | null = null,
): AsyncGenerator<string[]> {
  if (!isSingle) yield* eventStore.streams(prefix, after);
  else if (await hasStream(eventStore, prefix)) yield [prefix];
}

/**
 * The names of all streams of the ledger in byte order, in pages. Deleted streams may be listed.
 * @param after only names that sort after this one; all by default
 */
export async function* ledgerStreams(
  eventStore: Pick<EventStore, 'streams' | 'readStream'>,
  after: string | null = null,
): AsyncGenerator<string[]> {
  for (const kind of STREAM_KINDS) {
    const { prefix, isSingle } = kind;
    if (after === null || compareNames(after, prefix) < 0) yield* streamsOf(eventStore, kind);
    else if (!isSingle && after.startsWith(prefix)) yield* streamsOf(eventStore, kind, after);
  }
}

/** True when the store has events of the stream, or had some that were deleted. */
async function hasStream(eventStore: Pick<EventStore, 'readStream'>, stream: string): Promise<boolean> {
  try {
    return (await eventStore.readStream(stream, { limit: 1 })).length > 0;
  } catch (error) {
    if (error instanceof StreamDeletedError) return true;
    throw error;
  }
}

/** The stream, if rows refer to it and the event store does not have it. @param text SQL that finds such a row */
function missingIf(stream: string, text: string): (sources: LedgerStores) => Promise<readonly string[]> {
  return async ({ pool, eventStore }) => {
    const { rows } = await pool.query(text);
    return rows.length > 0 && !(await hasStream(eventStore, stream)) ? [stream] : [];
  };
}

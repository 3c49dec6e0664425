import { PAYOUT_STREAM_PREFIX, payoutsProjection } from '../../finance/index.js';
import { inPages } from '../../platform/database/in-pages.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { type AuditedLine, type AuditedRow, type PayoutAudit, PAYOUT_LINES, PAYOUTS } from './payout-audit.js';
import { compareRow, compareRows, hasPassed, isOverdue } from './projection-check.js';
import { type LedgerProblem } from './stream-audit.js';
import { type LedgerStores } from './read-account.js';
import { type BeginStreamCheck, type StreamCheck } from './stream-check.js';

/** Streams of rows that are looked up at once. */
const STREAMS_PER_READ = 500;

/** The stored data of one stream, read before its events. */
interface StoredRows {
  readonly at: string | null;
  readonly lines: readonly AuditedLine[];
  readonly payouts: readonly AuditedRow[];
  readonly hold: { readonly until: string; readonly held_by: string; readonly reason: string } | null;
}

const ROWS = `
  select (select position from projection_checkpoint where name = $3) as at,
    (select coalesce(json_agg(${PAYOUT_LINES.json}), '[]') from payout_entry where stream = $1) as lines,
    (select coalesce(json_agg(${PAYOUTS.json}), '[]') from payout where creator_id = $2) as payouts,
    (select json_build_object('until', (extract(epoch from until) * 1000)::float8, 'held_by', held_by, 'reason', reason)
       from payout_hold where creator_id = $2) as hold`;

/**
 * Compares the rows of payouts, and their lines of the books, with the events of one stream. Rows are read before the
 * events, so concurrent writes make no difference. The amounts are compared with what the books say was payable.
 */
export class PayoutCheck implements StreamCheck {
  /** The rows before the first event that need not be projected yet. */
  private applied: readonly AuditedRow[] | null = null;
  private lines = 0;

  private constructor(
    private readonly sources: LedgerStores,
    private readonly audit: PayoutAudit,
    private readonly stored: StoredRows,
    private readonly readAt: number,
    private readonly report: (problem: LedgerProblem) => void,
  ) {}

  static readonly begin: BeginStreamCheck<PayoutAudit> = async (context, audit, report) => {
    const readAt = context.now().getTime();
    const { rows } = await context.pool.query<StoredRows>({
      name: 'audit-payouts',
      text: ROWS,
      values: [audit.stream, audit.creatorId, payoutsProjection.name],
    });
    const stored = rows[0] ?? { at: null, lines: [], payouts: [], hold: null };
    return new PayoutCheck(context, audit, stored, readAt, report);
  };

  before(stored: StoredEvent): void {
    const isDue = isOverdue(stored, this.readAt) || hasPassed(this.sources.eventStore, this.stored.at, stored);
    if (isDue || this.applied) return;
    this.applied = this.audit.rows();
    this.lines = this.audit.lines.length;
  }

  async end(): Promise<number> {
    if (!this.audit.readable) return 0;
    const onDifference = (sentence: string): void => this.problem(null, 'projection', sentence);
    const lines = this.applied ? this.audit.lines.slice(0, this.lines) : this.audit.lines;
    const compared =
      compareRows(
        'payout_entry',
        { found: this.stored.lines, expected: lines, about: ({ version, line }) => `line ${line} of event ${version}` },
        onDifference,
      ) +
      compareRows(
        'payout',
        {
          found: this.stored.payouts,
          expected: this.applied ?? this.audit.rows(),
          about: ({ payout_id: id }) => `payout ${id}`,
        },
        onDifference,
      );
    const { hold } = this.audit;
    if (!this.applied && JSON.stringify(hold) !== JSON.stringify(this.stored.hold)) {
      if (hold && this.stored.hold) compareRow('payout_hold', this.stored.hold, hold as never, onDifference);
      else onDifference(`payout_hold ${hold ? 'lacks a row' : 'has a row that no event makes'}.`);
    }
    await this.compareAmounts();
    return compared;
  }

  /** Cutoffs are midnights, so the sums of days have what was payable before. */
  private async compareAmounts(): Promise<void> {
    const { fixed, creatorId } = this.audit;
    if (fixed.length === 0) return;
    const { rows } = await this.sources.pool.query<{ payable: number }>(
      `select -coalesce((
         select sum(cents) from book_creator_sum
         where unit = 'day' and account = 2120 and creator_id = $1 and starts_at < cutoff
       ), 0)::float8 as payable
       from unnest($2::timestamptz[]) with ordinality as wanted (cutoff, place) order by place`,
      [creatorId, fixed.map(({ cutoff }) => cutoff)],
    );
    for (const [index, { version, payableCents }] of fixed.entries()) {
      const payable = rows[index]?.payable ?? 0;
      if (payable === payableCents) continue;
      const sentence = `The payout counts ${payableCents} cents as payable at its cutoff, but the books have ${payable}.`;
      this.problem(version, 'payout', sentence);
    }
  }

  private problem(version: number | null, kind: LedgerProblem['kind'], sentence: string): void {
    this.report({ stream: this.audit.stream, version, kind, what: sentence });
  }
}

/** The streams that rows of payouts name, and that the event store does not have. */
export async function payoutStreamsWithoutEvents({ pool, eventStore }: LedgerStores): Promise<string[]> {
  const missing: string[] = [];
  const pages = inPages<{ readonly creator_id: string }>(STREAMS_PER_READ, async (last, limit) => {
    const { rows } = await pool.query<{ creator_id: string }>(
      `select creator_id from (
         select creator_id from payout union select creator_id from payout_hold union select creator_id from payout_entry
       ) as known where creator_id > $1 order by creator_id limit $2`,
      [last?.creator_id ?? '', limit],
    );
    return rows;
  });
  for await (const rows of pages) {
    const streams = rows.map(({ creator_id: creatorId }) => PAYOUT_STREAM_PREFIX + creatorId);
    missing.push(...(await eventStore.missingStreams(streams)));
  }
  return missing;
}

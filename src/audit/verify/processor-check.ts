import { PROCESSOR_STREAM, processorProjection } from '../../finance/index.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { closedMonthDifferences } from './closed-months.js';
import { REPORTED_PER_CHECK } from './problem-reports.js';
import {
  PROCESSOR_LINES,
  TRANSACTIONS,
  type ProcessorAudit,
  type ProcessorAuditDisowned,
  type ProcessorAuditLine,
  type ProcessorAuditTransaction,
} from './processor-audit.js';
import { compareRows, hasPassed, isOverdue } from './projection-check.js';
import { eventAt, type LedgerStores } from './read-account.js';
import { type LedgerProblem } from './stream-audit.js';
import { type BeginStreamCheck, type StreamCheck } from './stream-check.js';

/** Events whose rows are compared together. */
const EVENTS_TOGETHER = 1000;

interface StoredRows {
  readonly lines: readonly ProcessorAuditLine[];
  readonly transactions: readonly ProcessorAuditTransaction[];
  readonly disowned: readonly ProcessorAuditDisowned[];
}

const ROWS = `
  select
    (select coalesce(json_agg(${PROCESSOR_LINES.json}), '[]')
     from processor_entry where version between $1 and $2) as lines,
    (select coalesce(json_agg(${TRANSACTIONS.json}), '[]')
     from processor_transaction where version between $1 and $2) as transactions,
    (select coalesce(json_agg(json_build_object('transaction_id', transaction_id, 'disowned_version', disowned_version,
       'gross_cents', gross_cents, 'fee_cents', fee_cents,
       'created_at', (extract(epoch from created_at) * 1000)::float8)), '[]')
     from processor_transaction where disowned_version between $1 and $2) as disowned`;

/**
 * Transactions whose row and lines differ in the amount that is not in the ledger. That of another shop is in its own
 * account, and not in this one.
 */
const MATCHES = `
  select * from (
    select t.transaction_id as id, coalesce(expected.cents, 0)::float8 as expected,
      case when t.kind in ('fee', 'payout', 'payoutReturned') or t.disowned_version is not null then 0
        else t.gross_cents - t.matched_cents end as found
    from processor_transaction t
    left join (
      select transaction_id, sum(cents) as cents from processor_entry where account = 1015 group by 1
    ) as expected using (transaction_id)
  ) as transaction where found is distinct from expected
  order by 1 limit $1`;

/**
 * Compares the rows and the lines of the processor with its events, page by page. Both are only added, never changed,
 * so the rows are read after their events. Only the match and the shop of a transaction change: at the end they are
 * compared with the lines.
 */
export class ProcessorCheck implements StreamCheck {
  private compared = 0;
  private from = 0;
  private last: StoredEvent | null = null;
  /** True once an event came that the projection need not have applied yet. */
  private ended = false;

  private constructor(
    private readonly sources: LedgerStores,
    private readonly audit: ProcessorAudit,
    private readonly position: string | null,
    private readonly readAt: number,
    private readonly report: (problem: LedgerProblem) => void,
  ) {}

  static readonly begin: BeginStreamCheck<ProcessorAudit> = async (context, audit, report) => {
    const readAt = context.now().getTime();
    const { rows } = await context.pool.query<{ position: string | null }>(
      'select position from projection_checkpoint where name = $1',
      [processorProjection.name],
    );
    return new ProcessorCheck(context, audit, rows[0]?.position ?? null, readAt, report);
  };

  async before(stored: StoredEvent): Promise<void> {
    if (this.ended) {
      this.audit.take();
      return;
    }
    if (this.last && this.last.version - this.from + 1 >= EVENTS_TOGETHER) await this.compare();
    this.ended = !isOverdue(stored, this.readAt) && !hasPassed(this.sources.eventStore, this.position, stored);
    if (this.ended) await this.compare();
    else this.last = stored;
  }

  /** The rows of a deleted stream have nothing to be compared with. */
  async end(): Promise<number> {
    if (this.audit.events === 0) return 0;
    if (!this.ended) await this.compare();
    if (this.audit.readable) await this.compareRest();
    const { version, closes } = this.audit;
    await closedMonthDifferences(
      this.sources.pool,
      closes,
      { version, appliedUntil: this.from },
      (closed, kind, sentence) => this.report({ stream: PROCESSOR_STREAM, version: closed, kind, what: sentence }),
    );
    return this.compared;
  }

  private async compareRest(): Promise<void> {
    if (!this.ended) await this.findRowsBehind();
    const { rows } = await this.sources.pool.query<{ id: string; found: number; expected: number }>(MATCHES, [
      REPORTED_PER_CHECK,
    ]);
    for (const { id, found, expected } of rows) {
      const sentence = `processor_transaction has ${found} cents of ${id} as not in the ledger, but its lines have ${expected}.`;
      this.problem(sentence);
    }
  }

  /** Compares the rows of the events since the last call. */
  private async compare(): Promise<void> {
    const { lines, transactions, disowned } = this.audit.take();
    const { from, last } = this;
    if (!last || last.version < from || !this.audit.readable) return;
    const { rows } = await this.sources.pool.query<StoredRows>({
      name: 'audit-processor',
      text: ROWS,
      values: [from, last.version],
    });
    this.from = last.version + 1;
    const stored = rows[0] ?? { lines: [], transactions: [], disowned: [] };
    const onDifference = (sentence: string): void => this.problem(sentence);
    const about = ({ version, line }: ProcessorAuditLine): string => `line ${line} of event ${version}`;
    const name = ({ transaction_id: id }: { readonly transaction_id: string }): string => `transaction ${id}`;
    this.compared += compareRows('processor_entry', { found: stored.lines, expected: lines, about }, onDifference);
    this.compared += compareRows(
      'processor_transaction',
      { found: stored.transactions, expected: transactions, about: name },
      onDifference,
    );
    this.compared += compareRows(
      'processor_transaction',
      { found: stored.disowned, expected: disowned, about: name },
      onDifference,
    );
  }

  /** Rows of events that do not exist. New events may be projected meanwhile, so only rows of the past count. */
  private async findRowsBehind(): Promise<void> {
    const { pool, eventStore } = this.sources;
    const { rows } = await pool.query<{ version: number | null }>(
      `select greatest((select max(version) from processor_entry), (select max(version) from processor_transaction)) as version`,
    );
    const version = rows[0]?.version ?? null;
    if (version === null || version < this.from) return;
    if (!(await eventAt(eventStore, PROCESSOR_STREAM, version)))
      this.problem(`processor_entry or processor_transaction has rows of event ${version}, which does not exist.`);
  }

  private problem(sentence: string): void {
    this.report({ stream: this.audit.stream, version: null, kind: 'projection', what: sentence });
  }
}

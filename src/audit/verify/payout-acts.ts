import { type Pool } from 'pg';
import { type ActKind } from '../../contract/acts.js';
import { creatorOfStream } from '../../finance/index.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { ACT_LOG, type ActRow, ACTS } from './act-rows.js';
import { REPORTED_PER_CHECK, type Report } from './problem-reports.js';
import { textIn } from './read-account.js';

/** Events whose lines of a bank's file are looked up together. */
const EVENTS_TOGETHER = 1_000;
/** The worker carries out a decision within minutes, and projections follow. Milliseconds. */
const CARRIED_OUT_WITHIN_MS = 60 * 60_000;

/** The kind of thing that an act must be about to cause an event. */
type About = 'run' | 'payout' | 'creator' | 'report';

/** The kinds of acts that cause each event. A draft that fell below the minimum is cancelled when its run is fixed. */
const CAUSES: Readonly<Record<string, Partial<Readonly<Record<ActKind, About>>>>> = {
  PayoutDrafted: { 'payout.drafted': 'run' },
  PayoutFixed: { 'payout.fixed': 'run' },
  PayoutChecked: { 'payout.checked': 'run' },
  PayoutPaid: { 'payout.recorded': 'report' },
  PayoutFailed: { 'payout.failed': 'payout' },
  PayoutCancelled: { 'payout.cancelled': 'payout', 'payout.run_cancelled': 'run', 'payout.fixed': 'run' },
  PayoutsHeld: { 'payout.held': 'creator', 'payout.released': 'creator' },
};

/** Acts that are announced, and whose ends name their events. The others are carried out by the worker. */
const ANNOUNCED: readonly ActKind[] = ['payout.cancelled', 'payout.failed', 'payout.held', 'payout.released'];

/** An event of a payout, as far as its act is concerned. */
interface CausedEvent {
  readonly stored: Pick<StoredEvent, 'stream' | 'version' | 'id' | 'type'>;
  readonly causationId: string | null;
  readonly actorId: string | null;
  readonly payoutId: string | null;
  readonly runId: string | null;
}

/**
 * Pairs the events of payouts with the acts of people: each event names an act of the right kind, by the same person,
 * on its own run, payout or creator; and each act that is done has its events. Shares no code with the writer. Holds
 * the acts on payouts in memory: people made each of them.
 */
export class PayoutActCheck {
  private readonly runs = new Map<string, string>();
  /** Events whose act was not in the log when it was read. */
  private readonly unmatched: CausedEvent[] = [];
  /** Ids of the events that name an announced act. */
  private readonly found = new Map<string, Set<string>>();
  private transfers: CausedEvent[] = [];
  /** References of the payouts of the stream that were paid. */
  private readonly paid = new Map<string, string>();
  /** Payouts that came back, with the references that they had. Few do. */
  private readonly cameBack: { readonly payoutId: string; readonly reference: string }[] = [];

  private constructor(
    private readonly pool: Pool,
    private readonly acts: ReadonlyMap<string, ActRow> | null,
    private readonly report: (stream: string) => Report,
  ) {}

  /** Nothing is compared while the log is empty. */
  static async read(pool: Pool, report: (stream: string) => Report): Promise<PayoutActCheck> {
    const { rows: first } = await pool.query('select 1 from admin_act limit 1');
    if (first.length === 0) return new PayoutActCheck(pool, null, report);
    const { rows } = await pool.query<ActRow>(
      `${ACTS} and starts_with(a.kind, 'payout.') group by a.id order by a.number`,
    );
    return new PayoutActCheck(pool, new Map(rows.map((row) => [row.id, row])), report);
  }

  /**
   * Adds the next event of a stream. The events of a stream must follow each other.
   * @param imported whether an import record covers the event: it needs no act in the log, but may have one
   */
  async add(stored: StoredEvent, imported = false): Promise<void> {
    if (!this.acts) return;
    const { payoutId, runId } = stored.data;
    const { causationId, actorId } = stored.metadata;
    if (stored.type === 'PayoutDrafted' && typeof payoutId === 'string' && typeof runId === 'string') {
      this.runs.set(payoutId, runId);
    }
    this.follow(stored);
    const event: CausedEvent = {
      stored: { stream: stored.stream, version: stored.version, id: stored.id, type: stored.type },
      causationId: textIn(causationId),
      actorId: textIn(actorId),
      payoutId: textIn(payoutId),
      runId: this.runs.get(textIn(payoutId) ?? '') ?? null,
    };
    const act = this.acts.get(event.causationId ?? '');
    if (act) await this.pair(act, event);
    else if (!imported) this.unmatched.push(event);
  }

  /** Called after the last event of a stream. It compares no rows. */
  endStream(): Promise<number> {
    this.runs.clear();
    this.paid.clear();
    return Promise.resolve(0);
  }

  /** Must be called after the last event. Acts that were written meanwhile are read again. */
  async end(): Promise<void> {
    if (!this.acts) return;
    const causes = this.unmatched.flatMap(({ causationId }) => causationId ?? []);
    const newer = await this.readAgain(causes);
    for (const event of this.unmatched) {
      const act = newer.get(event.causationId ?? '');
      if (act) await this.pair(act, event);
      else this.problem(event, `No act in the log has caused this ${event.stored.type} event.`);
    }
    await this.compareTransfers();
  }

  /** Compares all acts with their events. Only for a check that has seen every stream. @param now epoch milliseconds */
  async endAll(now: number): Promise<void> {
    await this.end();
    if (!this.acts) return;
    await this.findUnfinished(now);
    for (const { sentence, text } of CARRIED_OUT) {
      const { rows } = await this.pool.query<{ act: string; about: string }>(CAME_BACK + text, [
        new Date(now - CARRIED_OUT_WITHIN_MS),
        REPORTED_PER_CHECK,
        this.cameBack.map(({ payoutId }) => payoutId),
        this.cameBack.map(({ reference }) => reference),
      ]);
      for (const { act, about } of rows) this.actProblem(act, sentence(about));
    }
  }

  /** A payout that came back can be paid again, and its row has the last reference only. */
  private follow({ type, data }: StoredEvent): void {
    const payoutId = textIn(data['payoutId']);
    if (payoutId === null) return;
    const reference = this.paid.get(payoutId);
    if (type === 'PayoutFailed' && reference !== undefined) this.cameBack.push({ payoutId, reference });
    if (type === 'PayoutPaid') this.paid.set(payoutId, textIn(data['reference']) ?? '');
  }

  private async pair(act: ActRow, event: CausedEvent): Promise<void> {
    const { type } = event.stored;
    const about = CAUSES[type]?.[act.kind];
    const name = `The act ${act.id} (${act.kind})`;
    if (about === undefined) {
      this.problem(event, `${name} cannot cause a ${type} event.`);
      return;
    }
    if (act.actor_id !== event.actorId) {
      this.problem(event, `${name} is of ${act.actor_id}, but the event is of ${event.actorId ?? 'nobody'}.`);
    }
    const subject = subjectOf(about, event);
    if (subject && (act.subject_kind !== subject.kind || act.subject_id !== subject.id)) {
      this.problem(event, `${name} is on ${act.subject_kind} ${act.subject_id}, but the event is on ${subject.id}.`);
    }
    if (ANNOUNCED.includes(act.kind)) {
      const found = this.found.get(act.id) ?? new Set();
      this.found.set(act.id, found.add(event.stored.id));
    }
    if (about !== 'report') return;
    this.transfers.push(event);
    if (this.transfers.length >= EVENTS_TOGETHER) await this.compareTransfers();
  }

  /** Each recorded transfer is a line of the file of the bank that its act has recorded. */
  private async compareTransfers(): Promise<void> {
    const events = this.transfers;
    this.transfers = [];
    if (events.length === 0) return;
    const { rows } = await this.pool.query<{ ordinal: number }>(
      `select ordinal::int from unnest($1::text[], $2::text[]) with ordinality as wanted (payout_id, act_id, ordinal)
       where not exists (
         select from bank_report_line l join bank_report r on r.id = l.report_id
         where l.payout_id = wanted.payout_id and l.outcome is distinct from 'refused' and r.act_id::text = wanted.act_id
       ) order by ordinal`,
      [events.map(({ payoutId }) => payoutId), events.map(({ causationId }) => causationId)],
    );
    for (const { ordinal } of rows) {
      const event = events[ordinal - 1];
      if (event) this.problem(event, `The file of the bank of the act ${event.causationId} has no line of the payout.`);
    }
  }

  /** Announced acts and the events that their ends name. */
  private async findUnfinished(now: number): Promise<void> {
    const suspects = [...(this.acts?.values() ?? [])].filter((act) => this.endProblem(act, now) !== null);
    const newer = await this.readAgain(suspects.map(({ id }) => id));
    for (const { id } of suspects) {
      const act = newer.get(id);
      const problem = act ? this.endProblem(act, now) : null;
      if (act && problem !== null) {
        this.report(ACT_LOG)({ stream: ACT_LOG, version: act.number, kind: 'act', what: problem });
      }
    }
  }

  private endProblem({ id, kind, ends, events, at_ms: at }: ActRow, now: number): string | null {
    if (!ANNOUNCED.includes(kind)) return null;
    const name = `The act ${id} (${kind})`;
    const found = this.found.get(id) ?? new Set<string>();
    if (ends.length === 0) return now - at < CARRIED_OUT_WITHIN_MS ? null : `${name} was announced and has not ended.`;
    if (ends.includes('done') && events.length === 0) return `${name} is done without an event.`;
    const missing = events.find((event) => !found.has(event));
    if (missing !== undefined) return `${name} names the event ${missing}, which the payouts do not have.`;
    const unnamed = [...found].sort().find((event) => !events.includes(event));
    return unnamed === undefined ? null : `The event ${unnamed} names the act ${id} (${kind}), which does not name it.`;
  }

  private async readAgain(ids: readonly string[]): Promise<ReadonlyMap<string, ActRow>> {
    if (ids.length === 0) return new Map();
    const { rows } = await this.pool.query<ActRow>(
      `${ACTS} and starts_with(a.kind, 'payout.') and a.id::text = any($1) group by a.id`,
      [[...new Set(ids)]],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  private actProblem(id: string, sentence: string): void {
    const number = this.acts?.get(id)?.number ?? null;
    this.report(ACT_LOG)({ stream: ACT_LOG, version: number, kind: 'act', what: `The act ${id} ${sentence}` });
  }

  private problem({ stored: { stream, version } }: CausedEvent, sentence: string): void {
    this.report(stream)({ stream, version, kind: 'act', what: sentence });
  }
}

/** Transfers that came back, for the statements below. */
const CAME_BACK = `with came_back (payout_id, reference) as (select * from unnest($3::text[], $4::text[]))`;

/**
 * Acts that the worker has carried out, and payouts that they have left out. The rows of `payout` are compared with the
 * events, so they stand for them. Decisions of the last hour may still be projected.
 */
const CARRIED_OUT: readonly { readonly sentence: (about: string) => string; readonly text: string }[] = [
  {
    sentence: (about) => `(payout.drafted) has drafted the payout ${about}, which has no event.`,
    text: `
      select r.draft_act as act, c.payout_id as about
      from payout_run r join payout_run_creator c on c.run_id = r.id
      left join payout p on p.payout_id = c.payout_id and p.creator_id = c.creator_id and p.run_id = r.id::text
      where c.payout_id is not null and p.payout_id is null and r.drafted_at < $1
      order by 1, 2 limit $2`,
  },
  {
    sentence: (about) => `(payout.drafted) has caused the payout ${about}, whose creator is not in its run.`,
    text: `
      select coalesce(r.draft_act::text, p.run_id) as act, p.payout_id as about
      from payout p left join payout_run r on r.id::text = p.run_id
      left join payout_run_creator c on c.run_id = r.id and c.creator_id = p.creator_id and c.payout_id = p.payout_id
      where c.payout_id is null and p.drafted_at < $1 and not coalesce(r.working and r.step = 'draft', false)
      order by 1, 2 limit $2`,
  },
  {
    sentence: (about) => `has carried out the last step of its run, but the payout ${about} has no event of it.`,
    text: `
      select coalesce(r.cancel_act, r.check_act, r.fix_act) as act, p.payout_id as about
      from payout_run r join payout p on p.run_id = r.id::text
      where not r.working and coalesce(r.cancelled_at, r.checked_at, r.fixed_at) < $1
        and p.step = any(case r.step when 'fix' then array['drafted'] when 'check' then array['drafted', 'fixed']
          when 'cancel' then array['drafted', 'fixed', 'checked'] else array[]::text[] end)
      order by 1, 2 limit $2`,
  },
  {
    sentence: (about) => `(payout.recorded) has recorded a transfer of the payout ${about}, which was never paid.`,
    text: `
      select r.act_id as act, l.payout_id as about
      from bank_report r join bank_report_line l on l.report_id = r.id
      left join payout p on p.payout_id = l.payout_id
      where r.done and r.recorded_at < $1 and l.outcome = 'recorded' and p.reference is distinct from l.bank_reference
        and (l.payout_id, l.bank_reference) not in (select payout_id, reference from came_back)
      order by 1, 2 limit $2`,
  },
  {
    sentence: (about) => `decides about the run ${about}, whose row names another act.`,
    text: `
      select a.id as act, a.subject_id as about
      from admin_act a left join payout_run r on r.id::text = a.subject_id
      where a.closes is null and a.at_ms < extract(epoch from $1::timestamptz) * 1000
        and a.kind in ('payout.drafted', 'payout.fixed', 'payout.checked', 'payout.run_cancelled')
        and a.id is distinct from case a.kind when 'payout.drafted' then r.draft_act when 'payout.fixed' then r.fix_act
          when 'payout.checked' then r.check_act else r.cancel_act end
      order by 1, 2 limit $2`,
  },
  {
    sentence: (about) => `has recorded the file ${about} of the bank, which has no row of it.`,
    text: `
      select a.id as act, a.subject_id as about
      from admin_act a left join bank_report r on r.id = a.subject_id and r.act_id = a.id
      where a.closes is null and a.kind = 'payout.recorded' and r.id is null
        and a.at_ms < extract(epoch from $1::timestamptz) * 1000
      order by 1, 2 limit $2`,
  },
];

function subjectOf(about: About, { stored, payoutId, runId }: CausedEvent): { kind: string; id: string } | null {
  if (about === 'creator') return { kind: 'creator', id: creatorOfStream(stored.stream) };
  if (about === 'payout') return { kind: 'payout', id: payoutId ?? '' };
  // The file of the bank is compared by its lines.
  return about === 'run' ? { kind: 'payout_run', id: runId ?? '' } : null;
}

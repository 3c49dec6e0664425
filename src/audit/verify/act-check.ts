import { type Pool } from 'pg';
import { validate as isUuid } from 'uuid';
import { type ActKind } from '../../contract/acts.js';
import { accountStream, userOfStream } from '../../credits/index.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { compareNames } from '../seals/signed-file.js';
import { ACT_LOG, type ActRow, ACTS, allActsDueFrom } from './act-rows.js';
import { textIn, timeOf } from './read-account.js';
import { type LedgerProblem } from './stream-audit.js';

/** Kinds of acts that change accounts, and the events that each makes. */
const LEDGER_ACTS: Partial<Readonly<Record<ActKind, readonly string[]>>> = {
  'credits.granted': ['CreditsGranted', 'DebtRepaid', 'CreditsExpired'],
  'credits.adjusted': ['CreditsAdjusted', 'CreditsExpired'],
  'clock.repaired': ['ClockRepaired', 'CreditsExpired'],
  'purchase.refunded': ['PurchaseReversed', 'PurchaseReinstated', 'DebtRepaid', 'CreditsExpired'],
};

/** The reconciler ends an act within minutes. Milliseconds. */
const OPEN_AT_MOST_MS = 60 * 60_000;

/** Whether only an admin can cause the event. */
export function isByAdmin({ type, data }: Pick<StoredEvent, 'type' | 'data'>): boolean {
  if (type === 'CreditsGranted') return data['source'] === 'admin';
  return type === 'CreditsAdjusted' || type === 'ClockRepaired';
}

interface LoggedAct extends ActRow {
  readonly found: Map<string, StoredEvent>;
}

/** The log as the first check read it, for the checks of other threads. Plain data. */
export interface ActScope {
  readonly dueFrom: number | null;
  readonly acts: readonly ActRow[];
}

/** The events that a check found. Plain data. */
export interface FoundActs {
  /** By the id of the act. */
  readonly found: readonly (readonly [string, StoredEvent])[];
  readonly unmatched: readonly StoredEvent[];
}

/**
 * Pairs the acts of admins on accounts with the events of the ledger: each event of an admin's hand has an act that
 * names it, and each act that is done has its events. Holds the acts on accounts in memory: people made each of them.
 */
export class ActCheck {
  /** Events of an admin's hand whose act was not in the log when it was read. */
  private readonly unmatched: StoredEvent[] = [];

  private constructor(
    private readonly pool: Pool,
    /** See {@link allActsDueFrom}. */
    private readonly dueFrom: number | null,
    private readonly acts: ReadonlyMap<string, LoggedAct>,
    private readonly users: readonly string[] | null,
  ) {}

  /** @param users compares the accounts of these users; null compares all */
  static async read(pool: Pool, users: readonly string[] | null): Promise<ActCheck> {
    const dueFrom = await allActsDueFrom(pool);
    const { rows } = await pool.query<ActRow>(
      `${ACTS} and a.kind = any($1) and ($2::text[] is null or a.user_id = any($2)) group by a.id order by a.number`,
      [Object.keys(LEDGER_ACTS), users],
    );
    return ActCheck.of(pool, { dueFrom, acts: rows }, users);
  }

  /** Continues from what another check read. */
  static of(pool: Pool, { dueFrom, acts }: ActScope, users: readonly string[] | null = null): ActCheck {
    const logged = acts.map((row) => [row.id, { ...row, found: new Map<string, StoredEvent>() }] as const);
    return new ActCheck(pool, dueFrom, new Map(logged), users);
  }

  /** For the checks of other threads. */
  scope(): ActScope {
    return { dueFrom: this.dueFrom, acts: Array.from(this.acts.values(), ({ found: _found, ...row }) => row) };
  }

  /** The events found so far. */
  found(): FoundActs {
    const found = [...this.acts.values()].flatMap(({ id, found: events }) =>
      Array.from(events.values(), (stored) => [id, stored] as const),
    );
    return { found, unmatched: this.unmatched };
  }

  /** Adds the events that the check of another thread found. */
  merge({ found, unmatched }: FoundActs): void {
    for (const [id, stored] of found) this.acts.get(id)?.found.set(stored.id, stored);
    for (const stored of unmatched) this.unmatched.push(stored);
  }

  /** Adds an event of an account. @param isImported whether a record of an import names the event of this version */
  add(stored: StoredEvent, isImported: (version: number) => boolean): void {
    if (this.dueFrom === null) return;
    const act = this.acts.get(causeOf(stored));
    if (act) {
      act.found.set(stored.id, stored);
      return;
    }
    if (!isByAdmin(stored) || !(timeOf(stored) >= this.dueFrom)) return;
    if (!isImported(stored.version)) this.unmatched.push(stored);
  }

  /** Must be called after the last event. Acts that were written meanwhile are read again. */
  async end(now: number, onProblem: (problem: LedgerProblem) => void): Promise<void> {
    if (this.dueFrom === null) return;
    const suspects = [...this.acts.values()].filter((act) => problemOf(act, now) !== null).map(({ id }) => id);
    const causes = this.unmatched.map(causeOf);
    const { rows } = await this.pool.query<ActRow>(`${ACTS} and a.id::text = any($1) group by a.id`, [
      [...suspects, ...causes],
    ]);
    const newer = new Map(rows.map((row) => [row.id, row]));
    for (const stored of inOrder(this.unmatched)) {
      const act = newer.get(causeOf(stored));
      if (act && isCauseOf(act, stored)) continue;
      const sentence = 'The event is the work of an admin, but no act in the log caused it.';
      onProblem({ stream: stored.stream, version: stored.version, kind: 'act', what: sentence });
    }
    for (const id of suspects) {
      const act = this.acts.get(id);
      const row = newer.get(id);
      const problem = act && row ? problemOf({ ...row, found: act.found }, now) : null;
      if (act && problem) onProblem({ stream: ACT_LOG, version: act.number, kind: 'act', what: problem });
    }
    await this.findRefundsWithoutAct(new Date(this.dueFrom), onProblem);
  }

  private async findRefundsWithoutAct(dueFrom: Date, onProblem: (problem: LedgerProblem) => void): Promise<void> {
    const { rows } = await this.pool.query<{ id: string; user_id: string }>(
      `select r.id, r.user_id from admin_refund r
       where r.actor_id <> r.user_id and r.created_at >= $1 and ($2::text[] is null or r.user_id = any($2))
         and not exists (select from admin_act a where a.id = r.act_id and a.kind = 'purchase.refunded')`,
      [dueFrom, this.users],
    );
    for (const { id, user_id: userId } of rows) {
      const sentence = `The refund ${id} was ordered by an admin, but no act in the log did it.`;
      onProblem({ stream: accountStream(userId), version: null, kind: 'act', what: sentence });
    }
  }
}

/**
 * The events among these, all the work of admins, that no act in the log has caused, for the continuous verification.
 * An imported event can be among them. At most two statements.
 */
export async function eventsWithoutAct(pool: Pool, events: readonly StoredEvent[]): Promise<StoredEvent[]> {
  if (events.length === 0) return [];
  const dueFrom = await allActsDueFrom(pool);
  if (dueFrom === null) return [];
  const needingAct = events.filter((stored) => timeOf(stored) >= dueFrom);
  const { rows } = await pool.query<Pick<ActRow, 'id' | 'kind' | 'user_id'>>(
    'select id, kind, user_id from admin_act where id = any($1::uuid[]) and closes is null',
    [needingAct.map(causeOf).filter((id) => isUuid(id))],
  );
  const acts = new Map(rows.map((row) => [row.id, row]));
  return needingAct.filter((stored) => {
    const act = acts.get(causeOf(stored));
    return !act || !isCauseOf(act, stored);
  });
}

/** The id of the act that an event names; empty when it names none. */
function causeOf({ metadata }: StoredEvent): string {
  return textIn(metadata['causationId']) ?? '';
}

function isCauseOf(
  { kind, user_id: userId }: Pick<ActRow, 'kind' | 'user_id'>,
  { stream, type }: StoredEvent,
): boolean {
  return userId === userOfStream(stream) && (LEDGER_ACTS[kind] ?? []).includes(type);
}

/** By stream and version: the order in which threads find events must not matter. */
function inOrder(events: Iterable<StoredEvent>): StoredEvent[] {
  return [...events].sort((a, b) => compareNames(a.stream, b.stream) || a.version - b.version);
}

/** The difference between an act and its events as a sentence; null when they agree. */
function problemOf(act: LoggedAct, now: number): string | null {
  const { id, kind, ends, events, found } = act;
  const foreign = inOrder(found.values()).find((stored) => !isCauseOf(act, stored));
  if (foreign) {
    return `The act ${id} (${kind}) cannot cause event ${foreign.version} of ${foreign.stream} (${foreign.type}).`;
  }
  if (ends.length === 0) {
    // The payment worker continues a refund for as long as the processor does not answer.
    if (kind === 'purchase.refunded' || now - act.at_ms < OPEN_AT_MOST_MS) return null;
    return `The act ${id} (${kind}) was announced and has not ended.`;
  }
  if (ends.includes('done') && events.length === 0) return `The act ${id} (${kind}) is done without an event.`;
  const missing = events.find((event) => !found.has(event));
  if (missing !== undefined)
    return `The act ${id} (${kind}) names the event ${missing}, which the ledger does not have.`;
  const unnamed = inOrder(found.values()).find((stored) => !events.includes(stored.id));
  if (!unnamed) return null;
  return `Event ${unnamed.version} of ${unnamed.stream} names the act ${id} (${kind}), which does not name the event.`;
}

import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { JOB_DATABASE } from '../../platform/database/database.js';
import { GroupedReads } from '../../platform/database/grouped-reads.js';
import type { CreditEvent } from '../account/events.js';
import { emptyAccount, FOLD_VERSION, type AccountState, type EndedDeduction } from '../account/state.js';
import type { CreditTables } from '../tables.js';
import type { LoadedAccount } from './loaded-account.js';

/** Number of events between two snapshots of an account. Limits what a cold load reads. */
const SNAPSHOT_EVERY = 32;
/** Number of ended deductions in a snapshot, the latest ones. */
const ENDED_KEPT = 32;
/** Pause between two writes. Snapshots offered meanwhile are written together, one per account. */
const WRITE_EVERY_MS = 50;
/** Time limit of a read, milliseconds. */
const READ_MS = 3_500;
/** Maximum number of accounts that wait to be written. More accounts skip their snapshot. */
const MAX_WAITING = 1_000;

/** The stored JSON: parts of the state by name, maps as lists of their entries. */
interface SnapshotContent {
  readonly state: Readonly<Record<string, unknown>>;
  /** Highest id of all ended deductions. */
  readonly newestEnded: string | null;
  /** True when `ended` lacks deductions that are still remembered. */
  readonly partly: boolean;
}

type SnapshotRow = Pick<CreditTables['credit_account_snapshot'], 'version' | 'hash' | 'state'>;

/**
 * Stores the folded state of long streams, so that a cold load does not read the full stream. An optimisation only: a
 * snapshot of another fold, or whose last event differs from the stream's, is ignored.
 */
@Injectable()
export class AccountSnapshots implements OnModuleDestroy {
  private readonly logger = new Logger(AccountSnapshots.name);
  private readonly waiting = new Map<string, { version: number; hash: string; state: string }>();
  private writing: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private closed = false;
  private readonly reads = new GroupedReads<string, SnapshotRow | undefined>((users) => this.read(users), READ_MS);

  constructor(@Inject(JOB_DATABASE) private readonly db: Kysely<CreditTables>) {}

  /** The account as of its snapshot; null when there is no usable one. The caller must check it against the stream. */
  async find(userId: string): Promise<LoadedAccount | null> {
    try {
      const row = await this.reads.ask(userId);
      if (!row) return null;
      const { version, hash } = row;
      const { state: parts, newestEnded, partly } = JSON.parse(row.state) as SnapshotContent;
      const ended = parts['ended'] as [string, EndedDeduction][];
      return {
        version,
        lastHash: hash,
        snapshotVersion: version,
        newestEnded,
        state: restore(parts, partly ? (newestEnded ?? undefined) : undefined),
        recentlyEnded: ended.map(([id]) => id),
      };
    } catch (error) {
      this.logger.warn({ message: 'The snapshot of an account could not be read.', userId, error });
      return null;
    }
  }

  /**
   * Schedules a snapshot when enough events have passed. The account must equal its stored stream. Writes in the
   * background.
   */
  offer(userId: string, account: LoadedAccount): void {
    const { version, lastHash } = account;
    if (this.closed || lastHash === null || version - account.snapshotVersion < SNAPSHOT_EVERY) return;
    if (this.waiting.size >= MAX_WAITING && !this.waiting.has(userId)) return;
    this.waiting.set(userId, { version, hash: lastHash, state: serialise(account) });
    account.snapshotVersion = version;
    if (!this.timer && !this.writing) this.writeSoon();
  }

  /** Resolves when every scheduled snapshot was written or has failed. */
  async flush(): Promise<void> {
    while (this.waiting.size > 0 || this.writing) await (this.writing ?? this.write());
  }

  async onModuleDestroy(): Promise<void> {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    await this.writing;
  }

  private async read(users: readonly string[]): Promise<(SnapshotRow | undefined)[]> {
    const rows = await this.db
      .selectFrom('credit_account_snapshot')
      .select(['user_id', 'version', 'hash', 'state'])
      .where('user_id', 'in', users)
      .where('fold_version', '=', FOLD_VERSION)
      .execute();
    const byUser = new Map(rows.map((row) => [row.user_id, row]));
    return users.map((userId) => byUser.get(userId));
  }

  private writeSoon(): void {
    this.timer = setTimeout(() => {
      this.timer = null;
      void this.write();
    }, WRITE_EVERY_MS);
    this.timer.unref();
  }

  private write(): Promise<void> {
    this.writing = this.writeAll([...this.waiting]).finally(() => {
      this.writing = null;
      if (this.waiting.size > 0 && !this.timer && !this.closed) this.writeSoon();
    });
    this.waiting.clear();
    return this.writing;
  }

  /** The last writer wins. An older snapshot only makes a load slower. */
  private async writeAll(rows: [string, { version: number; hash: string; state: string }][]): Promise<void> {
    const sorted = rows.sort(([a], [b]) => (a < b ? -1 : 1));
    const column = <Part extends 'version' | 'hash' | 'state'>(part: Part): (string | number)[] =>
      sorted.map(([, row]) => row[part]);
    try {
      await sql`
        insert into credit_account_snapshot (user_id, fold_version, version, hash, state)
        select user_id, ${FOLD_VERSION}, version, hash, state
        from unnest(${sorted.map(([userId]) => userId)}::text[], ${column('version')}::int[], ${column('hash')}::text[],
          ${column('state')}::text[]) as n (user_id, version, hash, state)
        on conflict (user_id) do update set
          fold_version = excluded.fold_version, version = excluded.version, hash = excluded.hash, state = excluded.state
      `.execute(this.db);
    } catch (error) {
      this.logger.warn({ message: 'Snapshots of accounts were not written.', accounts: rows.length, error });
    }
  }
}

/** Records ended deductions, which makes snapshots cheap. Must be called with every folded event. */
export function recordEnded(account: LoadedAccount, { type, data }: CreditEvent): void {
  if (type !== 'DeductionSettled' && type !== 'CreditsRefunded' && type !== 'DeductionVoided') return;
  const { deductionId } = data;
  account.recentlyEnded.push(deductionId);
  if (account.recentlyEnded.length >= 2 * ENDED_KEPT) account.recentlyEnded.splice(0, ENDED_KEPT);
  if (account.newestEnded === null || deductionId > account.newestEnded) account.newestEnded = deductionId;
}

function serialise({ state, recentlyEnded, newestEnded }: LoadedAccount): string {
  const parts: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(state)) parts[name] = part instanceof Map ? [...part] : (part as unknown);
  // A month can have tens of thousands of ended deductions, and commands rarely ask about any but the latest.
  const latest = new Set(recentlyEnded.slice(-ENDED_KEPT));
  const kept = [...latest].flatMap((id) => {
    const ended = state.ended.get(id);
    return ended ? [[id, ended]] : [];
  });
  parts['ended'] = kept;
  const complete = kept.length === state.ended.size && state.omittedEndedUpTo === undefined;
  const content: SnapshotContent = { state: parts, newestEnded, partly: !complete };
  return JSON.stringify(content);
}

/** @param omittedEndedUpTo highest id that an omitted ended deduction can have; undefined when none was omitted */
function restore(parts: SnapshotContent['state'], omittedEndedUpTo: string | undefined): AccountState {
  const state: AccountState = emptyAccount();
  for (const [name, part] of Object.entries(state) as [keyof AccountState, unknown][]) {
    const value = part instanceof Map ? new Map(parts[name] as [string, unknown][]) : parts[name];
    Object.assign(state, { [name]: value });
  }
  state.omittedEndedUpTo = omittedEndedUpTo;
  return state;
}

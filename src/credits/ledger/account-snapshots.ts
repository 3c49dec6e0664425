import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { emptyAccount, FOLD_VERSION, type AccountState, type EndedDeduction } from '../account/state.js';
import type { CreditEvent } from '../account/events.js';
import type { LoadedAccount } from './loaded-account.js';
import type { CreditTables } from '../tables.js';

/** Events after which an account is photographed again: what a cold load reads at most, and a little. */
const EVERY = 32;
/** Of the deductions that have ended, so many latest ones are in a snapshot. */
const ENDED_KEPT = 32;
/** Pause between two writes: what gathers meanwhile goes together, and of each account only the latest. */
const WRITE_EVERY_MS = 50;
/** Accounts that wait to be written; beyond that, some miss their snapshot. */
const MAX_WAITING = 1_000;

/** The command asks about a deduction that the snapshot may have left out: fold the whole stream and decide again. */
export class DeductionNotLoadedError extends Error {
  constructor(deductionId: string) {
    super(`Whether deduction ${deductionId} has ended is not in the snapshot.`);
    this.name = 'DeductionNotLoadedError';
  }
}

/** What is stored of an account: parts of the state by name, maps as lists of their entries. */
interface Photograph {
  readonly state: Readonly<Record<string, unknown>>;
  /** Highest id of all deductions that have ended. */
  readonly newestEnded: string | null;
  /** Whether `ended` lacks some of those that are still remembered. */
  readonly partly: boolean;
}

/**
 * Keeps what the fold of a long stream came to, so that a cold load need not read it all. Saves time and decides nothing: a snapshot
 * of another fold, or whose last event is not the stream's at that version, is not used; without any, all works the same.
 */
@Injectable()
export class AccountSnapshots implements OnModuleDestroy {
  private readonly logger = new Logger(AccountSnapshots.name);
  private readonly waiting = new Map<string, { version: number; hash: string; state: string }>();
  private writing: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private closed = false;

  constructor(@Inject(DATABASE) private readonly db: Kysely<CreditTables>) {}

  /** The account as of its snapshot, which the caller checks against the stream; null when there is none to be used. */
  async find(userId: string): Promise<LoadedAccount | null> {
    try {
      const row = await this.db
        .selectFrom('credit_account_snapshot')
        .select(['version', 'hash', 'state'])
        .where('user_id', '=', userId)
        .where('fold_version', '=', FOLD_VERSION)
        .executeTakeFirst();
      if (!row) return null;
      const { version, hash } = row;
      const { state: parts, newestEnded, partly } = JSON.parse(row.state) as Photograph;
      const ended = parts['ended'] as [string, EndedDeduction][];
      return {
        ...{ version, lastHash: hash, photographedAt: version, newestEnded },
        state: restore(parts, partly ? newestEnded : null),
        recentlyEnded: ended.map(([id]) => id),
      };
    } catch (error) {
      this.logger.warn({ message: 'The snapshot of an account could not be read.', userId, error });
      return null;
    }
  }

  /** To be called with an account that is as its stream: remembers it once in a while, soon and in the background. */
  offer(userId: string, account: LoadedAccount): void {
    const { version, lastHash } = account;
    if (this.closed || lastHash === null || version - account.photographedAt < EVERY) return;
    if (this.waiting.size >= MAX_WAITING && !this.waiting.has(userId)) return;
    this.waiting.set(userId, { version, hash: lastHash, state: photograph(account) });
    account.photographedAt = version;
    if (!this.timer && !this.writing) this.writeSoon();
  }

  /** Resolves when all that was offered is written, or could not be. */
  async settled(): Promise<void> {
    while (this.waiting.size > 0 || this.writing) await (this.writing ?? this.write());
  }

  async onModuleDestroy(): Promise<void> {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    await this.writing;
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

  /** Whoever comes last wins: which of two snapshots of an account is stored changes only what a load costs. */
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

/** Keeps the account's notes on ended deductions, which make a snapshot cheap; to be called with every event that is folded. */
export function noteEnded(account: LoadedAccount, { type, data }: CreditEvent): void {
  if (type !== 'DeductionSettled' && type !== 'CreditsRefunded' && type !== 'DeductionVoided') return;
  const { deductionId } = data;
  account.recentlyEnded.push(deductionId);
  if (account.recentlyEnded.length >= 2 * ENDED_KEPT) account.recentlyEnded.splice(0, ENDED_KEPT);
  if (account.newestEnded === null || deductionId > account.newestEnded) account.newestEnded = deductionId;
}

function photograph({ state, recentlyEnded, newestEnded }: LoadedAccount): string {
  const parts: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(state)) parts[name] = part instanceof Map ? [...part] : (part as unknown);
  // A month's ended deductions can be tens of thousands, and few commands ask about one: the latest, as a rule.
  const known = new Set(recentlyEnded.slice(-ENDED_KEPT));
  const kept = [...known].flatMap((id) => {
    const ended = state.ended instanceof LatestEnded ? state.ended.known(id) : state.ended.get(id);
    return ended ? [[id, ended]] : [];
  });
  parts['ended'] = kept;
  const complete = kept.length === state.ended.size && !(state.ended instanceof LatestEnded);
  const content: Photograph = { state: parts, newestEnded, partly: !complete };
  return JSON.stringify(content);
}

/** @param newestEnded of what was left out; null when nothing was */
function restore(parts: Photograph['state'], newestEnded: string | null): AccountState {
  const state: AccountState = emptyAccount();
  for (const [name, part] of Object.entries(state) as [keyof AccountState, unknown][]) {
    const value = part instanceof Map ? new Map(parts[name] as [string, unknown][]) : parts[name];
    Object.assign(state, { [name]: value });
  }
  return newestEnded === null ? state : Object.assign(state, { ended: new LatestEnded(state, newestEnded) });
}

/**
 * The latest deductions that have ended, of more. Ids sort by their time of creation: one that is above those of all that had ended,
 * as every new deduction's is, cannot be among those left out, and one that is open cannot have ended.
 */
class LatestEnded extends Map<string, EndedDeduction> {
  constructor(
    private readonly state: AccountState,
    private readonly newestEnded: string,
  ) {
    super(state.ended);
  }

  /** What `get` says, without asking for more. */
  known(deductionId: string): EndedDeduction | undefined {
    return super.get(deductionId);
  }

  override get(deductionId: string): EndedDeduction | undefined {
    const known = super.get(deductionId);
    if (!known && this.mayBeLeftOut(deductionId)) throw new DeductionNotLoadedError(deductionId);
    return known;
  }

  override has(deductionId: string): boolean {
    return this.get(deductionId) !== undefined;
  }

  private mayBeLeftOut(deductionId: string): boolean {
    return deductionId <= this.newestEnded && !this.state.open.has(deductionId);
  }
}

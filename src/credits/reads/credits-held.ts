import { type RawBuilder, sql, type Transaction } from 'kysely';
import { rowsAs } from '../../platform/database/bulk-rows.js';
import { type CreditKind } from '../account/events.js';
import { type CreditBalanceTable, type CreditTables } from '../tables.js';

/** Credits of one kind with one expiry. `expires_at` is null for credits that do not expire. */
interface HeldCredits {
  readonly kind: CreditKind;
  readonly expires_at: Date | null;
  readonly credits: number;
}

type Balance = Pick<CreditBalanceTable, 'daily' | 'daily_expires_at' | 'bonus' | 'paid'>;

/** Sums what accounts hold. */
export class HeldSums {
  private readonly sums = new Map<string, { kind: CreditKind; expires_at: Date | null; credits: number }>();

  /** Adds the credits of an account, or with `times` -1 takes them away. */
  add({ daily, daily_expires_at: expiresAt, bonus, paid }: Balance, times: 1 | -1 = 1): void {
    this.addKind('daily', expiresAt, times * daily);
    this.addKind('bonus', null, times * bonus);
    this.addKind('paid', null, times * paid);
  }

  /** The sums that are not zero. */
  rows(): HeldCredits[] {
    return [...this.sums.values()].filter(({ credits }) => credits !== 0);
  }

  private addKind(kind: CreditKind, expiresAt: Date | null, credits: number): void {
    if (credits === 0) return;
    const key = `${kind} ${expiresAt?.getTime()}`;
    const sum = this.sums.get(key);
    if (sum) sum.credits += credits;
    else this.sums.set(key, { kind, expires_at: expiresAt, credits });
  }
}

/** Adds to `credits_held`, and deletes what has become zero: the rows must not depend on how events came in pages. */
export async function addToHeld(rows: readonly HeldCredits[], trx: Transaction<CreditTables>): Promise<void> {
  if (rows.length === 0) return;
  const types = { kind: 'text', expires_at: 'timestamptz', credits: 'bigint' } as const;
  const made = sql`
    select kind, coalesce(expires_at, 'infinity') as expires_at, credits
    from (${rowsAs(rows, types)}) as given (kind, expires_at, credits)`;
  const { rows: zeros } = await sql<{ zero: boolean }>`
    insert into credits_held (kind, expires_at, credits) ${made}
    on conflict (expires_at, kind) do update set credits = credits_held.credits + excluded.credits
    returning credits = 0 as zero`.execute(trx);
  if (!zeros.some(({ zero }) => zero)) return;
  await sql`
    delete from credits_held held using (${made}) as made
    where held.expires_at = made.expires_at and held.kind = made.kind and held.credits = 0`.execute(trx);
}

/** SQL: the credits that all accounts hold at an instant. Reads a row for each kind and each day that is not over. */
export function creditsHeldAt(now: Date): RawBuilder<number> {
  return sql`(select coalesce(sum(credits), 0)::bigint from credits_held where expires_at > ${now})`;
}

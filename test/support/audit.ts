import { type Pool } from 'pg';
import { type HashedEvent, verifyChain } from '../../src/platform/event-store/hash-chain.js';

interface LedgerRow {
  readonly stream: string;
  readonly version: number;
  readonly id: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
  readonly metadata: Record<string, unknown>;
}

interface GenerationRow {
  readonly id: string;
  readonly user_id: string;
  readonly status: string;
  readonly cost: number;
  readonly refunded: boolean;
  readonly closed: boolean;
}

/**
 * Checks from the raw events, without the product's folding, that no credit was lost or doubled and that every
 * generation has ended.
 * @returns one sentence per problem; empty when there is none
 */
export async function auditCredits(pool: Pool): Promise<string[]> {
  const { rows: events } = await pool.query<LedgerRow>(
    `select stream, version, event_id as id, type, data, metadata from event
     where starts_with(stream, 'creditAccount-') order by stream, version`,
  );
  const { rows: generations } = await pool.query<GenerationRow>(
    `select id, user_id, status, cost, refunded, credits_closed_at is not null as closed from generation`,
  );
  const { rows: balances } = await pool.query<{ user_id: string; lifetime_spent: number }>(
    `select user_id, lifetime_spent from credit_balance`,
  );
  const problems: string[] = [];
  const fates = new Map<string, Fate>();
  for (const [stream, history] of groupBy(events, (event) => event.stream)) {
    problems.push(...auditStream(stream, history, fates));
  }
  for (const generation of generations) problems.push(...auditGeneration(generation, fates.get(generation.id)));
  const known = new Set(generations.map(({ id }) => id));
  for (const [id, fate] of fates) {
    if (!known.has(id) && fate.deducted > 0) problems.push(`Credits were taken for ${id}, which is no generation.`);
  }
  for (const { user_id: userId, lifetime_spent: spent } of balances) {
    const completed = generations.filter((each) => each.user_id === userId && each.status === 'completed');
    const due = completed.reduce((sum, { cost }) => sum + cost, 0);
    if (spent !== due)
      problems.push(`${userId} has spent ${spent} credits according to the projection, but has pictures for ${due}.`);
  }
  return problems;
}

/** Outcome of one generation's credits. */
interface Fate {
  deducted: number;
  refunded: number;
  ends: string[];
}

function auditStream(stream: string, history: readonly LedgerRow[], fates: Map<string, Fate>): string[] {
  const problems: string[] = [];
  const broken = verifyChain(history as unknown as HashedEvent[]);
  if (broken) problems.push(`The hash chain of ${stream} breaks at version ${broken.version}.`);
  history.forEach((event, index) => {
    if (event.version !== index) problems.push(`${stream} has a gap before version ${event.version}.`);
  });
  let balance = 0;
  for (const { type, data } of history) {
    const amount = Number(data['amount'] ?? 0);
    balance += balanceChange(type, data);
    const id = data['deductionId'];
    if (typeof id === 'string') {
      const fate = fates.get(id) ?? { deducted: 0, refunded: 0, ends: [] };
      fates.set(id, fate);
      if (type === 'CreditsDeducted') {
        fate.deducted += amount;
        if (fate.ends.length > 0) problems.push(`${id} was deducted after its end.`);
      } else {
        fate.ends.push(type);
        if (type === 'CreditsRefunded') fate.refunded += amount;
      }
    }
    if (balance < 0) problems.push(`${stream} goes below zero.`);
  }
  return problems;
}

/** Credits by which an event changes the balance. */
function balanceChange(type: string, data: Readonly<Record<string, unknown>>): number {
  switch (type) {
    case 'CreditsGranted':
    case 'CreditsPurchased':
    case 'CreditsRefunded':
    case 'PurchaseReinstated':
      return Number(data['amount']);
    case 'CreditsDeducted':
    case 'CreditsExpired':
    case 'CreditsAdjusted':
    case 'DebtRepaid':
      return -Number(data['amount']);
    case 'PurchaseReversed':
      return -Number(data['revoked']);
    default:
      return 0;
  }
}

function auditGeneration(generation: GenerationRow, fate: Fate | undefined): string[] {
  const { id, status, cost, closed } = generation;
  if (status === 'pending') return [`Generation ${id} is still pending.`];
  if (!closed) return [`The credits of generation ${id} are still open.`];
  const ends = fate?.ends.join() ?? 'nothing';
  if (status === 'completed') {
    const right = fate?.deducted === cost && fate.refunded === 0 && ends === 'DeductionSettled';
    return right ? [] : [`Generation ${id} is completed, but its credits are: ${JSON.stringify(fate)}.`];
  }
  const refunded = fate?.deducted === cost && fate.refunded === cost && ends === 'CreditsRefunded';
  const neverTaken = (fate?.deducted ?? 0) === 0 && ends === 'DeductionVoided';
  if (!refunded && !neverTaken) return [`Generation ${id} failed, but its credits are: ${JSON.stringify(fate)}.`];
  if (generation.refunded !== refunded) return [`Generation ${id} shows the fan refunded: ${generation.refunded}.`];
  return [];
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

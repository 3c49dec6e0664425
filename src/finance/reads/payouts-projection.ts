import { sql, type Transaction } from 'kysely';
import { columnsOf, rowsAs } from '../../platform/database/bulk-rows.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { type Projection } from '../../platform/projections/projection.js';
import { creatorOfStream, PAYOUT_STREAM_PREFIX, type PayoutEvent, readPayoutEvent } from '../payouts/events.js';
import { payoutLines, stepAfter } from '../payouts/payout-entries.js';
import {
  type FinanceTables,
  type PayoutEntryTable,
  type PayoutHoldTable,
  type PayoutSumTable,
  type PayoutTable,
} from '../tables.js';
import { startOf } from './book-sums.js';

/** The projection of the events of payouts to payouts, holds, and their lines of the journal with their sums. */
export const payoutsProjection: Projection<FinanceTables> = {
  name: 'payouts',
  version: 1,
  streamPrefix: PAYOUT_STREAM_PREFIX,
  tables: ['payout', 'payout_hold', 'payout_entry', 'payout_sum'],
  async apply(stored, trx) {
    const events = stored.map((each) => [each, readPayoutEvent(each)] as const);
    const ids = events.flatMap(([, { data }]) => ('payoutId' in data ? [data.payoutId] : []));
    const payouts = new Map((await payoutsOf([...new Set(ids)], trx)).map((payout) => [payout.payout_id, payout]));
    const holds = new Map<string, PayoutHoldTable>();
    const lines: PayoutEntryTable[] = [];
    for (const [each, event] of events) {
      const hold = holdOf(each, event);
      if (hold) holds.set(hold.creator_id, hold);
      else lines.push(...applyEvent(each, event, payouts));
    }
    if (payouts.size > 0) await savePayouts([...payouts.values()], trx);
    if (holds.size > 0) await saveHolds([...holds.values()], trx);
    if (lines.length > 0) await saveLines(lines, trx);
  },
};

/** Changes the payout of the event in the map. @returns its lines of the journal */
function applyEvent(
  { stream, version, metadata }: StoredEvent,
  event: PayoutEvent,
  payouts: Map<string, PayoutTable>,
): PayoutEntryTable[] {
  const { type, data } = event;
  if (type === 'PayoutsHeld') return [];
  const at = new Date(metadata['occurredAt'] as string);
  const { payoutId } = data;
  const creator_id = creatorOfStream(stream);
  const known = type === 'PayoutDrafted' ? newPayout(creator_id, data, at) : payouts.get(payoutId);
  if (!known) throw new Error(`The payout ${payoutId} of ${creator_id} was never drafted.`);
  const step = stepAfter(type);
  const payout = { ...known, step, ...changesBy(event, at) };
  payouts.set(payoutId, payout);
  return payoutLines(known.step, step, payout.amount_cents).map(({ account, cents }, line) => ({
    ...{ stream, version, line, account, event_type: type, occurred_at: at, cents, creator_id, payout_id: payoutId },
  }));
}

function newPayout(
  creator_id: string,
  data: Extract<PayoutEvent, { type: 'PayoutDrafted' }>['data'],
  at: Date,
): PayoutTable {
  return {
    ...{ payout_id: data.payoutId, creator_id, run_id: data.runId, step: 'drafted', cutoff: new Date(data.cutoff) },
    ...{ payable_cents: data.payableCents, paid_before_cents: data.paidCents, amount_cents: data.amountCents },
    ...{ minimum_cents: data.minimumCents, drafted_by: data.draftedBy, drafted_at: at, fixed_at: null },
    ...{ checked_by: null, checked_at: null, reference: null, paid_on: null, recorded_by: null, ended_at: null },
    reason: null,
  };
}

function changesBy({ type, data }: PayoutEvent, at: Date): Partial<PayoutTable> {
  switch (type) {
    case 'PayoutFixed': {
      const { payableCents, paidCents, amountCents } = data;
      const sums = { payable_cents: payableCents, paid_before_cents: paidCents, amount_cents: amountCents };
      return { ...sums, fixed_at: at };
    }
    case 'PayoutChecked':
      return { checked_by: data.checkedBy, checked_at: at };
    case 'PayoutPaid': {
      const { reference, paidOn, recordedBy } = data;
      return { reference, paid_on: paidOn, recorded_by: recordedBy, ended_at: at, reason: null };
    }
    case 'PayoutFailed':
    case 'PayoutCancelled':
      return { reason: data.reason, ended_at: at };
    default:
      return {};
  }
}

function holdOf({ stream, metadata }: StoredEvent, { type, data }: PayoutEvent): PayoutHoldTable | null {
  if (type !== 'PayoutsHeld') return null;
  const { until, heldBy, reason } = data;
  const held_at = new Date(metadata['occurredAt'] as string);
  return { creator_id: creatorOfStream(stream), until: new Date(until), held_by: heldBy, reason, held_at };
}

async function payoutsOf(ids: readonly string[], trx: Transaction<FinanceTables>): Promise<readonly PayoutTable[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<PayoutTable>`select * from payout where payout_id = any(${ids}::text[])`.execute(trx);
  return rows;
}

const PAYOUT_COLUMNS = {
  payout_id: 'text',
  creator_id: 'text',
  run_id: 'text',
  step: 'text',
  cutoff: 'timestamptz',
  payable_cents: 'bigint',
  paid_before_cents: 'bigint',
  amount_cents: 'bigint',
  minimum_cents: 'bigint',
  drafted_by: 'text',
  drafted_at: 'timestamptz',
  fixed_at: 'timestamptz',
  checked_by: 'text',
  checked_at: 'timestamptz',
  reference: 'text',
  paid_on: 'text',
  recorded_by: 'text',
  ended_at: 'timestamptz',
  reason: 'text',
} as const satisfies Record<keyof PayoutTable, string>;

const HOLD_COLUMNS = {
  creator_id: 'text',
  until: 'timestamptz',
  held_by: 'text',
  reason: 'text',
  held_at: 'timestamptz',
} as const satisfies Record<keyof PayoutHoldTable, string>;

const ENTRY_COLUMNS = {
  stream: 'text',
  version: 'integer',
  line: 'integer',
  account: 'smallint',
  event_type: 'text',
  occurred_at: 'timestamptz',
  cents: 'bigint',
  creator_id: 'text',
  payout_id: 'text',
} as const satisfies Record<keyof PayoutEntryTable, string>;

const SUM_COLUMNS = {
  account: 'smallint',
  unit: 'text',
  starts_at: 'timestamptz',
  cents: 'bigint',
} as const satisfies Record<keyof PayoutSumTable, string>;

async function savePayouts(payouts: readonly PayoutTable[], trx: Transaction<FinanceTables>): Promise<void> {
  await upsert('payout', 'payout_id', rowsAs(payouts, PAYOUT_COLUMNS), columnsOf(PAYOUT_COLUMNS), trx);
}

async function saveHolds(holds: readonly PayoutHoldTable[], trx: Transaction<FinanceTables>): Promise<void> {
  await upsert('payout_hold', 'creator_id', rowsAs(holds, HOLD_COLUMNS), columnsOf(HOLD_COLUMNS), trx);
}

async function upsert(
  table: 'payout' | 'payout_hold',
  key: string,
  rows: ReturnType<typeof rowsAs>,
  columns: readonly string[],
  trx: Transaction<FinanceTables>,
): Promise<void> {
  const names = sql.join(columns.map((name) => sql.ref(name)));
  const others = columns.filter((name) => name !== key);
  const changes = sql.join(others.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`));
  await sql`
    insert into ${sql.table(table)} (${names}) ${rows} on conflict (${sql.ref(key)}) do update set ${changes}`.execute(
    trx,
  );
}

async function saveLines(lines: readonly PayoutEntryTable[], trx: Transaction<FinanceTables>): Promise<void> {
  await trx
    .insertInto('payout_entry')
    .columns(columnsOf(ENTRY_COLUMNS))
    .expression(rowsAs(lines, ENTRY_COLUMNS))
    .execute();
  await sql`
    insert into payout_sum (account, unit, starts_at, cents) ${rowsAs(sumsOf(lines), SUM_COLUMNS)}
    on conflict (unit, account, starts_at) do update set cents = payout_sum.cents + excluded.cents`.execute(trx);
}

function sumsOf(lines: readonly PayoutEntryTable[]): PayoutSumTable[] {
  const sums = new Map<string, PayoutSumTable>();
  for (const { account, occurred_at: at, cents } of lines) {
    for (const unit of ['hour', 'day', 'month'] as const) {
      const starts_at = startOf(unit, at);
      const key = `${account} ${unit} ${starts_at.getTime()}`;
      const sum = sums.get(key) ?? { account, unit, starts_at, cents: 0 };
      sums.set(key, { ...sum, cents: sum.cents + cents });
    }
  }
  return [...sums.values()];
}

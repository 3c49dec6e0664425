import { sql, type Transaction } from 'kysely';
import { addToRows, insertRows, replaceRows } from '../../platform/database/projected-table.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { type Projection } from '../../platform/projections/projection.js';
import { creatorOfStream, PAYOUT_STREAM_PREFIX, type PayoutEvent, readPayoutEvent } from '../payouts/events.js';
import { payoutLines, stepAfter } from '../payouts/payout-entries.js';
import {
  PAYOUT,
  PAYOUT_ENTRY,
  PAYOUT_HOLD,
  PAYOUT_SUM,
  type FinanceTables,
  type PayoutEntryTable,
  type PayoutHoldTable,
  type PayoutTable,
} from '../tables.js';
import { sumsByAccount } from './book-sums.js';

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
    await replaceRows(PAYOUT, [...payouts.values()], trx);
    await replaceRows(PAYOUT_HOLD, [...holds.values()], trx);
    await insertRows(PAYOUT_ENTRY, lines, trx);
    await addToRows(PAYOUT_SUM, sumsByAccount(lines), trx);
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
    stream,
    version,
    line,
    account,
    event_type: type,
    occurred_at: at,
    cents,
    creator_id,
    payout_id: payoutId,
  }));
}

function newPayout(
  creator_id: string,
  data: Extract<PayoutEvent, { type: 'PayoutDrafted' }>['data'],
  at: Date,
): PayoutTable {
  return {
    payout_id: data.payoutId,
    creator_id,
    run_id: data.runId,
    step: 'drafted',
    cutoff: new Date(data.cutoff),
    payable_cents: data.payableCents,
    paid_before_cents: data.paidCents,
    amount_cents: data.amountCents,
    minimum_cents: data.minimumCents,
    drafted_by: data.draftedBy,
    drafted_at: at,
    fixed_at: null,
    checked_by: null,
    checked_at: null,
    reference: null,
    paid_on: null,
    recorded_by: null,
    ended_at: null,
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

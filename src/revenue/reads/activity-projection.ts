import { sql, type Transaction } from 'kysely';
import { ACCOUNT_STREAM_PREFIX, readCreditEvent, userOfStream } from '../../credits/index.js';
import { rowsAs } from '../../platform/database/bulk-rows.js';
import { addToRows, insertMissingRows, insertRows, summedRows } from '../../platform/database/projected-table.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { type Projection } from '../../platform/projections/projection.js';
import { type RevenueRules, timeOf } from '../account-revenue.js';
import { monthOf } from '../months.js';
import {
  CREATOR_ACTIVITY_IMAGE,
  CREATOR_ACTIVITY_MONTH,
  CREATOR_ACTIVITY_PAYMENT,
  CREATOR_ACTIVITY_TOTAL,
  PLATFORM_ACTIVITY_MONTH,
  type ActivityImageRow,
  type ActivityMonthTable,
  type ActivityPaymentTable,
  type RevenueTables,
} from '../tables.js';

/** Identity of the projection of the events of accounts to delivered images, their counts and reasons of changes. */
export const ACTIVITY_PROJECTION = {
  name: 'creator_activity',
  version: 2,
  streamPrefix: ACCOUNT_STREAM_PREFIX,
  tables: [
    ...['creator_activity_image', 'creator_activity_month', 'creator_activity_payment'],
    ...['creator_activity_total', 'platform_activity_month'],
  ],
  // A migration fills the totals. Only an older instance that still runs leaves rows out of them.
  keepsUp: [1],
} as const satisfies Omit<Projection<RevenueTables>, 'apply'>;

/** The projection under the rules of the policy. @param rules is called for each page */
export function activityProjection(rules: () => Promise<RevenueRules>): Projection<RevenueTables> {
  return {
    ...ACTIVITY_PROJECTION,
    async apply(events, trx) {
      const page = readPage(events, await rules());
      if (page.images.length > 0) await addImages(page.images, trx);
      await insertMissingRows(CREATOR_ACTIVITY_PAYMENT, page.payments, trx);
      if (page.undone.length > 0) await undoPayments(page.undone, trx);
    },
  };
}

type Undone = { user_id: string; payment_id: string; undone_at: Date };

interface Page {
  readonly images: readonly ActivityImageRow[];
  readonly payments: readonly ActivityPaymentTable[];
  readonly undone: readonly Undone[];
}

function readPage(events: readonly StoredEvent[], { cumulativeFrom }: RevenueRules): Page {
  const images: ActivityImageRow[] = [];
  const payments: ActivityPaymentTable[] = [];
  const undone: Undone[] = [];
  for (const stored of events) {
    if (!ACTIVITY_EVENTS.has(stored.type)) continue;
    const user_id = userOfStream(stored.stream);
    const occurred_at = new Date(timeOf(stored, stored.stream));
    const { type, data } = readCreditEvent(stored);
    if (type === 'CreditsPurchased') {
      payments.push({ user_id, kind: 'purchase', payment_id: data.lotId, occurred_at, undone_at: null });
    }
    if (type === 'PurchaseReversed') {
      payments.push({ user_id, kind: data.cause, payment_id: data.reversalId, occurred_at, undone_at: null });
    }
    if (type === 'PurchaseReinstated') undone.push({ user_id, payment_id: data.reversalId, undone_at: occurred_at });
    if (type !== 'DeductionSettled') continue;
    const { creatorId: creator_id, deductionId: deduction_id, ownGeneration, allocations } = data;
    // As in revenue: under the old rules, an own generation counts like any other.
    if (ownGeneration && cumulativeFrom !== null && occurred_at >= cumulativeFrom) continue;
    const free = allocations.filter(({ kind }) => kind !== 'paid');
    const free_credits = free.reduce((sum, { amount }) => sum + amount, 0);
    const paid = free.length < allocations.length;
    images.push({ user_id, version: stored.version, creator_id, deduction_id, paid, free_credits, occurred_at });
  }
  return { images, payments, undone };
}

const ACTIVITY_EVENTS: ReadonlySet<string> = new Set([
  'CreditsPurchased',
  'DeductionSettled',
  'PurchaseReversed',
  'PurchaseReinstated',
]);

async function addImages(images: readonly ActivityImageRow[], trx: Transaction<RevenueTables>): Promise<void> {
  const months = monthsOf(images, await fansBefore(images, trx));
  await insertRows(CREATOR_ACTIVITY_IMAGE, images, trx);
  await addToRows(CREATOR_ACTIVITY_MONTH, months, trx);
  await addToRows(CREATOR_ACTIVITY_TOTAL, months, trx);
  await addToRows(PLATFORM_ACTIVITY_MONTH, months, trx);
}

type Fan = Pick<ActivityImageRow, 'creator_id' | 'user_id'>;

const fanKey = ({ creator_id, user_id }: Fan): string => JSON.stringify([creator_id, user_id]);

/** Those of these fans who had an image of the creator before. */
async function fansBefore(
  images: readonly ActivityImageRow[],
  trx: Transaction<RevenueTables>,
): Promise<ReadonlySet<string>> {
  const fans = [...new Map(images.map((image) => [fanKey(image), image])).values()];
  const { rows } = await sql<Fan>`
    select f.creator_id, f.user_id
    from (${rowsAs<Fan>(fans, { creator_id: 'text', user_id: 'text' })}) as f (creator_id, user_id)
    where exists (
      select from creator_activity_image i where i.creator_id = f.creator_id and i.user_id = f.user_id
    )`.execute(trx);
  return new Set(rows.map(fanKey));
}

function monthsOf(images: readonly ActivityImageRow[], fans: ReadonlySet<string>): ActivityMonthTable[] {
  const known = new Set(fans);
  const months = images.map((image) => {
    const isNew = !known.has(fanKey(image));
    known.add(fanKey(image));
    return {
      creator_id: image.creator_id,
      month: monthOf(image.occurred_at),
      paid_generations: Number(image.paid),
      free_generations: Number(!image.paid),
      new_fans: Number(isNew),
    };
  });
  return summedRows(CREATOR_ACTIVITY_MONTH, months);
}

async function undoPayments(rows: readonly Undone[], trx: Transaction<RevenueTables>): Promise<void> {
  const columns = { user_id: 'text', payment_id: 'text', undone_at: 'timestamptz' } as const;
  await sql`
    update creator_activity_payment p set undone_at = u.undone_at
    from (${rowsAs(rows, columns)}) as u (user_id, payment_id, undone_at)
    where p.user_id = u.user_id and p.kind <> 'purchase' and p.payment_id = u.payment_id`.execute(trx);
}

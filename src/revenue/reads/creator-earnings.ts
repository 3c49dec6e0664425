import { createHash } from 'node:crypto';
import { type RawBuilder, sql, type Kysely } from 'kysely';
import { DAY_MS } from '../../contract/durations.js';
import { type ChangeCause, type CreatorEarning, type EarningPart } from '../../contract/revenue.js';
import { addMonths, startOfMonth } from '../months.js';
import { type RevenueTables } from '../tables.js';

/** An image that was delivered, or a correction or restoration of its earning. It does not name the fan. */
export type EarningItem = Omit<CreatorEarning, 'prompt' | 'image' | 'ordered_at' | 'total_count'>;

/** Place of an item in the order of all items. */
export interface ItemCursor {
  readonly occurredAt: Date;
  readonly userId: string;
  readonly version: number;
  readonly line: number;
}

export interface ItemsWanted {
  readonly creatorId: string;
  /** UTC, YYYY-MM; null: all. */
  readonly month: string | null;
  readonly order: 'oldest first' | 'latest first';
  /** Only items after this place, in the order. */
  readonly after?: ItemCursor | null;
  readonly limit: number;
  readonly offset?: number;
}

interface ItemRow extends ItemCursor {
  readonly kind: EarningItem['kind'];
  readonly generationId: string;
  readonly freeCredits: number;
  readonly parts: readonly EarningPart[] | null;
  readonly creatorCents: number | null;
  readonly payableAt: Date | null;
  readonly reversalKind: 'refund' | 'dispute' | null;
  readonly undoneKind: 'refund' | 'dispute' | null;
}

/** Items of a creator in one statement, with their places. Own generations are no items. */
export async function readItems(
  db: Kysely<RevenueTables>,
  wanted: ItemsWanted,
): Promise<readonly { readonly item: EarningItem; readonly cursor: ItemCursor }[]> {
  const { rows } = await sql<ItemRow>`
    with items as (${itemsOf(wanted)})
    select items.user_id as "userId", items.version, items.line, items.kind, items.deduction_id as "generationId",
      items.free_credits as "freeCredits", items.occurred_at as "occurredAt", earned.parts,
      earned.creator_cents::bigint as "creatorCents", earned.payable_at as "payableAt",
      (select p.kind from creator_activity_payment p where p.user_id = items.user_id and p.kind <> 'purchase'
         and p.payment_id = items.reversal_id limit 1) as "reversalKind",
      (select p.kind from creator_activity_payment p where p.user_id = items.user_id and items.kind = 'restoration'
         and p.undone_at = items.occurred_at limit 1) as "undoneKind"
    from items cross join lateral (
      select json_agg(json_build_object('credits', e.credits, 'unit_price_cents', e.unit_price_cents,
          'cents', e.creator_cents + e.platform_cents, 'creator_cents', e.creator_cents, 'bought_at', p.occurred_at)
          order by e.line) as parts,
        sum(e.creator_cents) as creator_cents, max(e.payable_at) as payable_at
      from creator_earning e
      left join creator_activity_payment p
        on p.user_id = e.user_id and p.kind = 'purchase' and p.payment_id = e.lot_id
      where e.user_id = items.user_id and e.version = items.version
        and case when items.line = ${IMAGE_LINE} then e.kind = 'earning' else e.line = items.line end
    ) as earned
    order by ${inOrder(wanted.order)}`.execute(db);
  return rows.map((row) => ({ item: toItem(row), cursor: row }));
}

/** The line of an image, before the corrections that the same event makes. */
const IMAGE_LINE = sql.lit(-1);

/** Each side is cut by its index, so that a page of a creator with many images is as fast as any. */
function itemsOf({ creatorId, month, order, after = null, limit, offset = 0 }: ItemsWanted): RawBuilder<unknown> {
  const from = month === null ? null : startOfMonth(month);
  const until = month === null ? null : startOfMonth(addMonths(month, 1));
  const inMonth = from === null ? sql`true` : sql`occurred_at >= ${from} and occurred_at < ${until}`;
  const beyond = order === 'oldest first' ? sql`>` : sql`<`;
  const afterCursor =
    after === null
      ? sql`true`
      : // The first condition is for the index.
        sql`occurred_at ${beyond}= ${after.occurredAt} and (occurred_at, user_id, version, line)
          ${beyond} (${after.occurredAt}, ${after.userId}, ${after.version}::integer, ${after.line}::integer)`;
  const page = sql`where creator_id = ${creatorId} and ${inMonth} and ${afterCursor}
    order by ${inOrder(order)} limit ${limit + offset}`;
  return sql`
    select * from (
      (select * from (
         select creator_id, user_id, version, ${IMAGE_LINE} as line, case when paid then 'earning' else 'free' end as kind,
           deduction_id, free_credits, null as reversal_id, occurred_at from creator_activity_image
       ) as images ${page})
      union all
      (select * from (
         select creator_id, user_id, version, line, kind, deduction_id, 0, reversal_id, occurred_at
         from creator_earning where kind <> 'earning' and not own_generation
       ) as changes ${page})
    ) as both_kinds
    order by ${inOrder(order)} limit ${limit} offset ${offset}`;
}

function inOrder(order: ItemsWanted['order']): RawBuilder<unknown> {
  const direction = order === 'oldest first' ? sql`asc` : sql`desc`;
  return sql.join(['occurred_at', 'user_id', 'version', 'line'].map((column) => sql`${sql.ref(column)} ${direction}`));
}

function toItem(row: ItemRow): EarningItem {
  const { kind, generationId } = row;
  const parts = row.parts ?? [];
  return {
    id: kind === 'earning' || kind === 'free' ? generationId : changeId(row),
    kind,
    generation_id: generationId,
    free_credits: row.freeCredits,
    occurred_at: row.occurredAt.toISOString(),
    payable_at: row.payableAt?.toISOString() ?? null,
    paid: parts.map((part) => ({
      ...part,
      bought_at: part.bought_at === null ? null : startOfDay(new Date(part.bought_at)).toISOString(),
    })),
    creator_cents: row.creatorCents ?? 0,
    cause: causeOf(row),
  };
}

/** The exact instant would show which images the same purchase paid, and so the same fan. */
function startOfDay(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / DAY_MS) * DAY_MS);
}

/** A hash without the fan, so that it confirms no guessed user id. An image has one fan. */
function changeId({ generationId, version, line }: ItemRow): string {
  const text = JSON.stringify([generationId, version, line]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function causeOf({ kind, reversalKind, undoneKind }: ItemRow): ChangeCause | null {
  if (kind === 'correction') return reversalKind;
  if (kind !== 'restoration') return null;
  if (undoneKind === null) return 'debt_paid';
  return undoneKind === 'dispute' ? 'dispute_won' : 'refund_failed';
}

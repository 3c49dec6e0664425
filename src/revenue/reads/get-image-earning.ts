import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type RevenueTables } from '../tables.js';

/** The earning of one image, corrections and restorations included. */
export interface ImageEarning {
  /** Paid credits that the image used. Corrections do not lower them. */
  readonly paidCredits: number;
  /** US cents. */
  readonly creatorCents: number;
}

/**
 * The earning of an image that a user made. Null while its credits are not settled, for images of others, and for a
 * creator's own image of free credits.
 */
export class GetImageEarning extends QueryOf<
  { readonly userId: string; readonly generationId: string },
  ImageEarning | null
> {}

@QueryHandler(GetImageEarning)
export class GetImageEarningHandler extends ReadHandler<RevenueTables, GetImageEarning> {
  async execute({ input: { userId, generationId } }: GetImageEarning): Promise<ImageEarning | null> {
    // Two projections fill the two tables. An image of free credits alone has no row in the first.
    const ofImage = sql`deduction_id = ${generationId} and user_id = ${userId}`;
    const { rows } = await sql<ImageEarning & { readonly known: boolean }>`
      select count(*) > 0 or exists (select from creator_activity_image where ${ofImage} and not paid) as known,
        coalesce(sum(credits) filter (where kind = 'earning'), 0)::bigint as "paidCredits",
        coalesce(sum(creator_cents), 0)::bigint as "creatorCents"
      from creator_earning where ${ofImage}`.execute(this.db);
    const [row] = rows;
    return row?.known ? { paidCredits: row.paidCredits, creatorCents: row.creatorCents } : null;
  }
}

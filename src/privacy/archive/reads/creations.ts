import { type QueryBus } from '@nestjs/cqrs';
import { inPages } from '../../../platform/database/in-pages.js';
import { type Selectable, sql } from 'kysely';
import { type ImageInfo } from '../../../contract/media.js';
import { GetCreators } from '../../../creators/index.js';
import { type GenerationTable } from '../../../generation/tables.js';
import { type PersonalTables, ROWS_PER_READ } from '../personal-tables.js';

/** A generation of the person, as the archive lists it. */
export interface Creation {
  readonly record: object;
  readonly id: string;
  /** Name of the picture in the archive. */
  readonly file: string;
  /** Null for generations without a picture, and after a delete. */
  readonly image: ImageInfo | null;
}

const COLUMNS = [
  ...([
    'id',
    'creator_id',
    'prompt',
    'aspect_ratio',
    'status',
    'image',
    'cost',
    'credit_type_used',
    'error_message',
  ] as const),
  ...(['refund_reason', 'refunded', 'refund_amount', 'refunded_at', 'prediction_id', 'created_at'] as const),
  ...([
    'drawing_at',
    'finishing_at',
    'completed_at',
    'credits_closed_at',
    'hidden_at',
    'taken_down_at',
    'moderated_at',
    'moderation',
    'moderation_note',
    'deleted_at',
  ] as const),
  ...(['is_test', 'test_rating', 'test_note'] as const),
] as const;

type Row = Pick<Selectable<GenerationTable>, (typeof COLUMNS)[number]>;

/** All generations of a person, the newest first, deleted ones included: their times and costs stay. */
export async function* readCreations(
  db: PersonalTables,
  queries: QueryBus,
  userId: string,
): AsyncGenerator<readonly Creation[]> {
  for await (const rows of inPages<Row>(ROWS_PER_READ, (last, limit) => readPage(db, userId, last, limit))) {
    const creators = await queries.execute(new GetCreators({ creatorIds: rows.map((row) => row.creator_id) }));
    const curated = await idsInGalleries(db, [...creators.keys()], rows);
    yield rows.map(({ creator_id: creatorId, image: stored, ...row }) => {
      const creator = creators.get(creatorId);
      // No one but admins sees an image that was taken down.
      const image = row.deleted_at === null && row.moderation !== 'taken_down' ? stored : null;
      const file = `pictures/${row.created_at.toISOString().slice(0, 10)}-${row.id}.webp`;
      const record = {
        ...row,
        creator: { id: creatorId, username: creator?.username ?? null, name: creator?.name ?? null },
        in_gallery: curated.has(row.id),
        picture: image && file,
      };
      return { record, id: row.id, file, image };
    });
  }
}

/** Where the picture of a generation is stored now: hiding moves it. Null when there is none. */
export async function findImage(db: PersonalTables, userId: string, id: string): Promise<ImageInfo | null> {
  const row = await db
    .selectFrom('generation')
    .select('image')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`moderation is distinct from 'taken_down'`)
    .executeTakeFirst();
  return row?.image ?? null;
}

async function readPage(db: PersonalTables, userId: string, last: Row | null, limit: number): Promise<Row[]> {
  let query = db.selectFrom('generation').select(COLUMNS).where('user_id', '=', userId);
  if (last) {
    const { created_at: createdAt, id } = last;
    query = query.where((where) => where(where.refTuple('created_at', 'id'), '<', where.tuple(createdAt, id)));
  }
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

/** Which of these generations are in the public gallery of their creator. */
async function idsInGalleries(
  db: PersonalTables,
  creatorIds: readonly string[],
  rows: readonly Row[],
): Promise<ReadonlySet<string>> {
  if (creatorIds.length === 0) return new Set();
  const items = await db
    .selectFrom('gallery_item')
    .select('generation_id')
    .where('creator_id', 'in', creatorIds)
    .where(
      'generation_id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
  return new Set(items.map((item) => item.generation_id));
}

import { type Pool } from 'pg';
import { type AccountEvent, type EventPicture } from '../../contract/audit.js';
import { type ImageInfo } from '../../contract/media.js';
import { userOfStream } from '../../credits/index.js';
import { type Concealable, isHidden } from '../../generation/index.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { isUuid } from '../../platform/ids.js';

/** Accounts of docs/books.md. */
const [CREATOR_SHARE, PLATFORM_REVENUE] = [2100, 4000] as const;

/** One row, with nulls where the event has no picture. */
type ObjectsRow = Concealable & {
  readonly id: string | null;
  readonly status: EventPicture['status'];
  readonly prompt: string;
  readonly image: ImageInfo | null;
  readonly creator_name: string | null;
  readonly username: string | null;
  /** Whether the creator has a page. */
  readonly has_page: boolean | null;
  readonly shares: readonly ShareRow[];
};

interface ShareRow {
  readonly account: number;
  readonly creator_id: string | null;
  readonly creator_name: string | null;
  readonly cents: number;
  /** Epoch milliseconds. */
  readonly payable_at: number | null;
}

/** SQL for a text as a UUID; null for other texts. */
function asUuid(column: string): string {
  return `case when ${column} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${column}::uuid end`;
}

const OBJECTS = `
  select g.id, g.status, g.prompt, g.image, g.hidden_at, g.taken_down_at, g.moderated_at, g.is_test,
    c.name as creator_name, c.username, c.is_visible and c.withdrawn_at is null as has_page,
    (
      select coalesce(json_agg(json_build_object('account', e.account, 'creator_id', e.creator_id, 'cents', e.cents,
        'creator_name', (select name from creator c where c.id = ${asUuid('e.creator_id')}),
        'payable_at', (extract(epoch from e.payable_at) * 1000)::float8) order by e.line), '[]')
      from book_entry e
      where e.user_id = $2 and e.version = $3 and e.account in (${CREATOR_SHARE}, ${PLATFORM_REVENUE})
    ) as shares
  from (select) as one
  left join generation g on g.id = $1::uuid and g.deleted_at is null
    and not exists (select from generation_closed_owner closed where closed.user_id = g.user_id)
  left join creator c on c.id = ${asUuid('g.creator_id')}`;

/**
 * The picture and the earnings behind an event of an account, from their own tables: an auditor compares them with the
 * event. Shows nothing of a picture that only its owner may see.
 */
export async function objectsOf(
  { data, stream, version }: StoredEvent,
  pool: Pool,
): Promise<Pick<AccountEvent, 'picture' | 'earned' | 'platform_cents'>> {
  const { deductionId } = data;
  const pictureId = typeof deductionId === 'string' && isUuid(deductionId) ? deductionId : null;
  const { rows } = await pool.query<ObjectsRow>(OBJECTS, [pictureId, userOfStream(stream), version]);
  const [row] = rows;
  if (!row) throw new Error('A left join with one row has answered none.');
  const ofCreators = row.shares.filter(({ account }) => account === CREATOR_SHARE);
  const ofPlatform = row.shares.filter(({ account }) => account === PLATFORM_REVENUE);
  return {
    picture: pictureOf(row),
    earned: ofCreators.map(({ creator_id: creatorId, creator_name, cents, payable_at: payableAt }) => {
      return { creator_id: creatorId ?? '', creator_name, cents: 0 - cents, payable_at: instantOf(payableAt) };
    }),
    platform_cents: 0 - ofPlatform.reduce((sum, { cents }) => sum + cents, 0),
  };
}

/** Shows what everyone may see: a finished picture that is not hidden, of a creator with a page. */
function pictureOf(row: ObjectsRow): EventPicture | null {
  const { id, status, creator_name, username, prompt, image, has_page: hasPage } = row;
  if (id === null) return null;
  const isPublic = status === 'completed' && hasPage === true && !isHidden(row);
  const shown = isPublic ? { path: `/${username}/generate/${id}`, prompt, image } : NOTHING_SHOWN;
  return { id, status, creator_name, ...shown };
}

const NOTHING_SHOWN = { path: null, prompt: null, image: null } as const;

function instantOf(at: number | null): string {
  return new Date(at ?? 0).toISOString();
}

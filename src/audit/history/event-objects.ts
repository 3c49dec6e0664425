import { type Pool } from 'pg';
import { type AccountEvent, type EventPicture } from '../../contract/audit.js';
import { type ImageInfo } from '../../contract/media.js';
import { userOfStream } from '../../credits/index.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { isUuid } from '../../platform/ids.js';

/** Accounts of docs/books.md. */
const [CREATOR_SHARE, PLATFORM_REVENUE] = [2100, 4000] as const;

/** A picture, with its prompt and its files only when everyone may see it. */
interface PictureRow {
  readonly id: string;
  readonly status: EventPicture['status'];
  readonly creator_name: string | null;
  readonly username: string | null;
  readonly prompt: string | null;
  readonly image: ImageInfo | null;
}

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

/** Shows what everyone may see: a finished picture that is not hidden, of a creator with a page and an open account. */
const OBJECTS = `
  select (
      select json_build_object('id', g.id, 'status', g.status, 'creator_name', c.name,
        'username', case when public.shown then c.username end, 'prompt', case when public.shown then g.prompt end,
        'image', case when public.shown then g.image end)
      from generation g left join creator c on c.id = ${asUuid('g.creator_id')}
      cross join lateral (
        select g.status = 'completed' and g.hidden_at is null and g.taken_down_at is null and g.moderated_at is null
          and not g.is_test and c.is_visible and c.withdrawn_at is null as shown
      ) as public
      where g.id = $1::uuid and g.deleted_at is null
        and not exists (select from generation_closed_owner closed where closed.user_id = g.user_id)
    ) as picture, (
      select coalesce(json_agg(json_build_object('account', e.account, 'creator_id', e.creator_id, 'cents', e.cents,
        'creator_name', (select name from creator c where c.id = ${asUuid('e.creator_id')}),
        'payable_at', (extract(epoch from e.payable_at) * 1000)::float8) order by e.line), '[]')
      from book_entry e
      where e.user_id = $2 and e.version = $3 and e.account in (${CREATOR_SHARE}, ${PLATFORM_REVENUE})
    ) as shares`;

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
  const { rows } = await pool.query<{ picture: PictureRow | null; shares: ShareRow[] }>(OBJECTS, [
    pictureId,
    userOfStream(stream),
    version,
  ]);
  const { picture = null, shares = [] } = rows[0] ?? {};
  const ofCreators = shares.filter(({ account }) => account === CREATOR_SHARE);
  const ofPlatform = shares.filter(({ account }) => account === PLATFORM_REVENUE);
  return {
    picture: picture && toWirePicture(picture),
    earned: ofCreators.map(({ creator_id: creatorId, creator_name, cents, payable_at: payableAt }) => {
      return { creator_id: creatorId ?? '', creator_name, cents: 0 - cents, payable_at: instantOf(payableAt) };
    }),
    platform_cents: 0 - ofPlatform.reduce((sum, { cents }) => sum + cents, 0),
  };
}

function toWirePicture({ username, ...picture }: PictureRow): EventPicture {
  return { ...picture, path: username === null ? null : `/${username}/generate/${picture.id}` };
}

function instantOf(at: number | null): string {
  return new Date(at ?? 0).toISOString();
}

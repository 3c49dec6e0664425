import type { AdminUserImage } from '../../../../../src/contract/admin-users.js';
import { PAGE_SIZES } from '../../../../../src/contract/limits.js';
import { Badge, type Tone } from '../../../components/badge.js';
import { EmptyState } from '../../../components/states.js';
import { useNumberedPages } from '../../../components/work-area/list-pages.js';
import { loadWords } from '../../../components/work-area/answer.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { RowPicture } from './row-picture.js';
import { creditsText, formatUtcMinute } from './user-text.js';
import { Name } from '../../../components/name.js';

const SHOWN: Readonly<Record<Exclude<AdminUserImage['shown'], 'visible'>, readonly [tone: Tone, label: string]>> = {
  owner: ['warn', 'Only the owner sees it'],
  admins: ['bad', 'Taken down'],
  deleted: ['neutral', 'Deleted'],
};

/** The user's pictures with their status, the latest first. */
export function PicturesTab({ userId }: { readonly userId: string }): React.ReactNode {
  const list = useNumberedPages('get_user_images_admin', { p_user_id: userId }, PAGE_SIZES.generations);
  return (
    <RpcList
      list={list}
      words={loadWords('the pictures', 'pictures')}
      empty={<EmptyState title="This user has no pictures" />}
      caption="Pictures"
      rowKey={({ generation_id: id }) => id}
      item={(row) => <UserImage row={row} />}
    />
  );
}

function UserImage({ row }: { readonly row: AdminUserImage }): React.ReactNode {
  const { image, prompt, creator_name, created_at, cost, status, shown, error_message, refunded, generation_id } = row;
  return (
    <>
      <RowPicture image={image} />
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 [overflow-wrap:anywhere]">
          {prompt === '' ? (
            <span className="text-ink-2">The prompt was deleted.</span>
          ) : (
            <span translate="no">{prompt}</span>
          )}
        </p>
        <p className="text-13 [overflow-wrap:anywhere] text-ink-2">
          <Name>{creator_name}</Name>
          <span>
            , {formatUtcMinute(created_at)} UTC, {creditsText(cost)},
          </span>{' '}
          <Name>{generation_id}</Name>
        </p>
        {error_message !== null && <p className="text-13 text-bad">{error_message}</p>}
      </div>
      <div className="flex shrink-0 flex-col items-end gap-1">
        {status === 'pending' && <Badge>Drawing</Badge>}
        {status === 'failed' && <Badge tone="bad">{refunded ? 'Failed, refunded' : 'Failed'}</Badge>}
        {status === 'completed' && shown === 'visible' && <Badge tone="good">Delivered</Badge>}
        {shown !== 'visible' && <Badge tone={SHOWN[shown][0]}>{SHOWN[shown][1]}</Badge>}
      </div>
    </>
  );
}

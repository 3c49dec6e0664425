import { CircleSlash, Clock, Eye, EyeOff, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { OwnStyleImage } from '../../../../../src/contract/gallery.js';
import { Button } from '../../../components/button.js';
import { Pagination } from '../../../components/pagination.js';
import { Picture } from '../../../components/picture.js';
import { Table, type Column } from '../../../components/table.js';
import { toast } from '../../../components/toast.js';
import { cx } from '../../../lib/cx.js';
import { formatShortDate } from '../../../lib/format.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { useRpcEffect } from '../../../lib/use-rpc-effect.js';
import { keepFocus } from './keep-focus.js';
import { Section } from './section.js';
import { TakeDownDialog } from './take-down-dialog.js';
import type { ControlsProps } from './use-pause.js';
import { problemOf } from '../../../lib/problem-of.js';

const PER_PAGE = 6;
const IMAGES = 'get_images_of_own_style_by_jwt';

const FILTERS = [
  ['all', 'All'],
  ['gallery', 'In my gallery'],
  ['take_downs', 'Take-downs'],
] as const;
type Filter = (typeof FILTERS)[number][0];

const EMPTY: Readonly<Record<Filter, string>> = {
  all: 'No pictures yet',
  gallery: 'Your gallery is empty',
  take_downs: 'You have asked for no take-down',
};

/** The images in the creator's style, to hide them or to ask for their removal. */
export function Pictures({ onPageChange }: Pick<ControlsProps, 'onPageChange'>): React.ReactNode {
  const [filter, setFilter] = useState<Filter>('all');
  const [page, setPage] = useState(1);
  const [asking, setAsking] = useState<OwnStyleImage | null>(null);
  const query = useRpc(IMAGES, {
    p_limit: PER_PAGE,
    p_offset: (page - 1) * PER_PAGE,
    ...(filter === 'all' ? {} : { p_only: filter }),
  });
  const { data: images, error, isFetching, isPlaceholderData, refetch } = query;
  const total = images?.[0]?.total_count ?? 0;
  const pages = Math.ceil(total / PER_PAGE);
  const acts = useActs(setAsking, onPageChange);

  return (
    <Section
      id="pictures"
      title="Pictures"
      aside={
        total > 0 && (
          <p className="text-14 tabular-nums text-ink-2">
            {total.toLocaleString('en-US')} {total === 1 ? 'picture' : 'pictures'}
            {filter === 'all' && ', your own included'}
          </p>
        )
      }
      lead="Hide a picture from your page at once, or ask us to take it down everywhere. Pictures that fans keep private or have deleted are not listed."
    >
      <div role="group" aria-label="Show" className="mt-4 flex flex-wrap gap-2">
        {FILTERS.map(([value, label]) => (
          <button
            key={value}
            type="button"
            aria-pressed={filter === value}
            className={cx(
              'touch h-8 rounded-pill border px-3 text-14',
              filter === value
                ? 'border-ink bg-hover font-[560] text-ink'
                : 'border-line text-ink-2 hover:border-line-strong hover:text-ink',
            )}
            onClick={() => {
              setFilter(value);
              setPage(1);
            }}
          >
            {label}
          </button>
        ))}
      </div>
      <Table
        caption="Pictures in your style"
        columns={columns(acts)}
        rows={images}
        rowKey={({ generation_id }) => generation_id}
        stacked={(image) => <Stacked image={image} acts={acts} />}
        stale={isPlaceholderData}
        loadingLabel="Loading pictures"
        empty={{
          title: EMPTY[filter],
          className: 'mt-4',
        }}
        error={
          error && {
            title: 'Your pictures could not be loaded',
            children: problemOf(error),
            onRetry: () => void refetch(),
            retrying: isFetching,
            className: 'mt-4',
          }
        }
      />
      {(pages > 1 || page > 1) && (
        <div className="mt-4">
          <Pagination page={page} pages={Math.max(pages, page)} onPage={setPage} />
        </div>
      )}
      <TakeDownDialog image={asking} onPageChange={onPageChange} onClose={() => setAsking(null)} />
    </Section>
  );
}

interface Acts {
  /** The image and act that are being sent. */
  readonly busy: { readonly id: string; readonly act: 'hide' | 'take-back' } | null;
  readonly hide: (image: OwnStyleImage, hidden: boolean) => void;
  readonly ask: (image: OwnStyleImage) => void;
  readonly takeBack: (image: OwnStyleImage, requestId: string) => void;
}

function useActs(ask: (image: OwnStyleImage) => void, onPageChange: () => void): Acts {
  const [actedOn, setActedOn] = useState('');
  const hide = useRpcEffect('hide_from_own_gallery_by_jwt', [IMAGES], onPageChange);
  const takeBack = useRpcEffect('take_back_take_down_by_jwt', [IMAGES], onPageChange);
  const running = hide.isPending || takeBack.isPending;
  const options = (title: string) => ({
    onSuccess: () => keepFocus('pictures'),
    onError: (error: Error) => toast({ kind: 'error' as const, title, description: problemOf(error) }),
  });
  return {
    busy: running ? { id: actedOn, act: hide.isPending ? 'hide' : 'take-back' } : null,
    hide: ({ generation_id: id }, hidden) => {
      if (running) return;
      setActedOn(id);
      hide.mutate(
        { p_generation_id: id, p_hidden: hidden },
        options(hidden ? 'The picture could not be hidden.' : 'The picture could not be shown again.'),
      );
    },
    ask,
    takeBack: ({ generation_id: id }, requestId) => {
      if (running) return;
      setActedOn(id);
      takeBack.mutate({ p_request_id: requestId }, options('Your request could not be taken back.'));
    },
  };
}

function columns(acts: Acts): Column<OwnStyleImage>[] {
  return [
    {
      id: 'picture',
      header: 'Picture',
      cell: (image) => (
        <span className="flex items-center gap-3">
          <Thumb image={image} />
          <span translate="no" className="line-clamp-2 min-w-0 break-words text-14">
            {image.prompt}
          </span>
        </span>
      ),
    },
    {
      id: 'made',
      header: 'Made',
      muted: true,
      className: 'pl-4 whitespace-nowrap text-14 tabular-nums w-36',
      cell: ({ created_at: at }) => <time dateTime={at}>{formatShortDate(at, undefined, 'UTC')}</time>,
    },
    { id: 'state', header: 'State', className: 'pl-4 w-56', cell: (image) => <State image={image} /> },
    {
      id: 'acts',
      header: 'Actions',
      className: 'pl-4 w-px whitespace-nowrap',
      cell: (image) => <ActButtons image={image} acts={acts} />,
    },
  ];
}

function Stacked({ image, acts }: { readonly image: OwnStyleImage; readonly acts: Acts }): React.ReactNode {
  return (
    <div className="min-w-0 flex-1 py-1">
      <div className="flex items-center gap-3">
        <Thumb image={image} />
        <div className="min-w-0">
          <p translate="no" className="line-clamp-2 break-words text-14">
            {image.prompt}
          </p>
          <State image={image} />
        </div>
      </div>
      <ActButtons image={image} acts={acts} />
    </div>
  );
}

function Thumb({ image: { image } }: { readonly image: OwnStyleImage }): React.ReactNode {
  if (!image) return <span aria-hidden className="size-9 shrink-0 rounded-sm bg-hover" />;
  return <Picture image={image} alt="" sizes="36px" ratio="1 / 1" className="size-9 shrink-0 rounded-sm" />;
}

function State({ image }: { readonly image: OwnStyleImage }): React.ReactNode {
  const [Icon, words, warn] = stateOf(image);
  return (
    <span className={cx('inline-flex items-center gap-1.5 align-middle text-14', warn ? 'text-warn' : 'text-ink-2')}>
      <Icon aria-hidden className="size-4 shrink-0" />
      <span>{words}</span>
    </span>
  );
}

function stateOf({ take_down: request, hidden_by_creator_at: hiddenAt, in_gallery }: OwnStyleImage) {
  const state = (icon: LucideIcon, words: string, warn = false) => [icon, words, warn] as const;
  if (request?.decision === null) return state(Clock, `Take-down asked for, ${dayOf(request.requested_at)}`, true);
  if (request?.decision === 'removed') return state(CircleSlash, 'Removed');
  if (request?.decision === 'hidden') return state(EyeOff, 'Hidden by our team');
  if (hiddenAt !== null) return state(EyeOff, `Hidden by you, ${dayOf(hiddenAt)}`);
  if (request?.decision === 'kept') return state(Eye, in_gallery ? 'Kept, in your gallery' : 'Kept by our team');
  return in_gallery ? state(Eye, 'In your gallery') : state(EyeOff, 'Not in your gallery');
}

/** `22 Nov`, in UTC. */
function dayOf(instant: string): string {
  return formatShortDate(instant, undefined, 'UTC').split(', ')[0] ?? '';
}

function ActButtons({ image, acts }: { readonly image: OwnStyleImage; readonly acts: Acts }): React.ReactNode {
  const { take_down: request, hidden_by_creator_at: hiddenAt, in_gallery, prompt } = image;
  const open = request?.decision === null;
  if (request?.decision === 'removed' || request?.decision === 'hidden') return null;
  const hidden = hiddenAt !== null;
  const busy = acts.busy?.id === image.generation_id ? acts.busy.act : null;
  const object = <span className="sr-only"> “{prompt.slice(0, 60)}”</span>;
  return (
    <span className="flex justify-end gap-1">
      {!open && (in_gallery || hidden) && (
        <Button size={32} busy={busy === 'hide'} onClick={() => acts.hide(image, !hidden)}>
          <span>{hidden ? 'Show again' : 'Hide'}</span>
          {object}
        </Button>
      )}
      {/* One button for both, which keeps the focus when the state changes. */}
      {(open || request?.decision !== 'kept') && (
        <Button
          kind="quiet"
          size={32}
          busy={busy === 'take-back'}
          onClick={() => (open ? acts.takeBack(image, request.request_id) : acts.ask(image))}
        >
          <span>{open ? 'Take back' : 'Ask for take-down'}</span>
          {object}
        </Button>
      )}
    </span>
  );
}

import { Search } from 'lucide-react';
import { memo, useId } from 'react';
import { GALLERY_MAX_SIZE, type AdminGeneration } from '../../../../../src/contract/admin-gallery.js';
import { Skeletons } from '../../../components/skeleton.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { formatUtcDay } from '../../../components/work-area/utc.js';
import { AddButton } from './add-button.js';
import { notAddableText, type EditSession } from './edit-session.js';
import { Thumbnail } from './thumbnail.js';
import type { useCreatorGenerations } from './use-creator-generations.js';

const GRID = 'mt-4 grid grid-cols-2 gap-x-3 gap-y-5 sm:grid-cols-3';
/** A total of this many means this many or more. */
const MAX_COUNT = 10_000;

interface GenerationsPanelProps {
  readonly generations: ReturnType<typeof useCreatorGenerations>;
  readonly session: EditSession;
  readonly onAdd: (item: AdminGeneration) => void;
  readonly onOpen: (item: AdminGeneration) => void;
}

/** `4,303 images`; `10,000+ images` for more than are counted. */
export function imagesText(count: number): string {
  return `${count.toLocaleString('en')}${count >= MAX_COUNT ? '+' : ''} ${count === 1 ? 'image' : 'images'}`;
}

/** All generations of the creator with their search, 12 a page. */
export function GenerationsPanel({ generations, session, onAdd, onOpen }: GenerationsPanelProps): React.ReactNode {
  const { list, text, search } = generations;
  const id = useId();
  return (
    <>
      <div className="relative mt-3">
        <Search
          aria-hidden
          className="pointer-events-none absolute left-3.5 top-1/2 size-5 -translate-y-1/2 text-ink-2"
        />
        <input
          type="search"
          aria-label="Search all generations"
          aria-describedby={`${id}-tip`}
          placeholder="Search by prompt or paste generation ID..."
          maxLength={200}
          value={text}
          onChange={(event) => search(event.target.value)}
          className="block h-12 w-full rounded-ctl border border-line-strong bg-bg pl-11 pr-3.5 text-16 placeholder:text-ink-2"
        />
      </div>
      <p id={`${id}-tip`} className="mt-1.5 text-14 text-ink-2">
        Tip: a whole generation ID finds exactly that image.
      </p>
      <RpcList
        list={list}
        words={{ failure: 'Failed to load generations', loading: 'Loading generations...' }}
        empty={
          <p role="status" className="mt-6 text-16 text-ink-2">
            No generations found
          </p>
        }
        skeleton={
          <div className={GRID}>
            <Skeletons count={6} className="aspect-square" />
          </div>
        }
      >
        {(items) => (
          <ul className={GRID}>
            {items.map((item) => (
              <GenerationCard
                key={item.id}
                item={item}
                inGallery={session.items.some(({ id: member }) => member === item.id)}
                problem={notAddableText(item, session.items.length >= GALLERY_MAX_SIZE)}
                onAdd={onAdd}
                onOpen={onOpen}
              />
            ))}
          </ul>
        )}
      </RpcList>
    </>
  );
}

interface GenerationCardProps extends Pick<GenerationsPanelProps, 'onAdd' | 'onOpen'> {
  readonly item: AdminGeneration;
  readonly inGallery: boolean;
  readonly problem: string | null;
}

const GenerationCard = memo(function GenerationCard(props: GenerationCardProps) {
  const { item, inGallery, problem, onAdd, onOpen } = props;
  return (
    <li className="flex min-w-0 flex-col">
      <Thumbnail item={item} sizes="(min-width: 800px) 16vw, 46vw" className="w-full" onOpen={() => onOpen(item)} />
      <p translate="no" className="mt-2 truncate text-14">
        {item.prompt}
      </p>
      <p className="text-13 tabular-nums text-ink-2">{formatUtcDay(item.created_at)}</p>
      <AddButton size={32} className="mt-2 w-full" inGallery={inGallery} problem={problem} onAdd={() => onAdd(item)} />
    </li>
  );
});

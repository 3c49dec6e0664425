import { useQuery } from '@tanstack/react-query';
import { LoaderCircle } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import type { GalleryItem, PublicCreator } from '../../../../../src/contract/gallery.js';
import { MissingPicture, useMissingPicture } from '../../../components/missing-picture.js';
import { Picture } from '../../../components/picture.js';
import { Skeletons } from '../../../components/skeleton.js';
import { EmptyState, QueryProblem } from '../../../components/states.js';
import { GALLERY_PAGE_SIZE, galleryPageQuery, galleryTotal } from '../api/get-gallery-generations.js';
import { useMountedFor } from '../../../lib/use-mounted-for.js';
import { generationPath } from '../../../lib/paths.js';
import {
  ART_BLOCK,
  ART_BLOCKS,
  ART_GRID,
  ART_SIZES,
  ART_TILE,
  PromptVeil,
  ROW_FILLER_LINK,
  RowFiller,
} from '../../../components/art-grid.js';
import { useArrival, useReturnPlace, type Returning } from '../../../lib/return-place.js';
import { Name } from '../../../components/name.js';

/** Pictures that are mounted together: a multiple of every number of columns, and a divisor of the page size. */
const BLOCK_SIZE = 24;
/** A block is fetched once it has been near the window this long, so that fast scrolling skips it. */
const DWELL_MS = 100;

type GalleryCreator = Pick<PublicCreator, 'id' | 'name' | 'username'>;

interface GalleryGridProps {
  readonly creator: GalleryCreator;
  /** 'GALLERY' on the profile, 'FAN ART GALLERY' below a generation. */
  readonly title: string;
}

/** The curated pictures of a creator. Each links to its generation, which links back here. */
export function GalleryGrid({ creator, title }: GalleryGridProps): React.ReactNode {
  const query = useQuery(galleryPageQuery(creator.id, 0));
  const { data, isPending, isError } = query;
  return (
    <section aria-labelledby="gallery-title" aria-busy={isPending}>
      <h2 id="gallery-title" className="display-sm mb-4 flex items-center gap-3 text-32">
        <span>{title}</span>
        {isPending && <LoaderCircle aria-hidden className="size-5 text-ink-2 motion-safe:animate-spin" />}
      </h2>
      {isPending && (
        <>
          <p role="status" className="sr-only">
            Loading gallery
          </p>
          <div className={ART_GRID}>
            <Skeletons count={8} className="aspect-square" />
          </div>
        </>
      )}
      {isError && !data && <QueryProblem title="The gallery could not be loaded" query={query} />}
      {data?.length === 0 && <EmptyState title="No gallery items yet. Check back later!" />}
      {data && data.length > 0 && <Blocks creator={creator} total={galleryTotal(data)} />}
    </section>
  );
}

/** The pictures in blocks. Only blocks near the window are mounted; the others keep their height. */
function Blocks({ creator, total }: { creator: GalleryCreator; total: number }): React.ReactNode {
  const returning = useReturnPlace();
  const { place } = returning;
  const count = Math.ceil(total / BLOCK_SIZE);
  const [focused, setFocused] = useState(() =>
    place && place.index < total ? Math.floor(place.index / BLOCK_SIZE) : null,
  );
  const blocks = useRef<HTMLDivElement>(null);
  const near = useNear(blocks, count);
  return (
    <div
      ref={blocks}
      className={ART_BLOCKS}
      onFocus={({ target }) => setFocused(blockOf(target))}
      onBlur={({ currentTarget, relatedTarget }) => {
        // When another window takes the focus, the element keeps it within this document.
        if (relatedTarget === null && !currentTarget.contains(document.activeElement)) setFocused(null);
      }}
    >
      {Array.from({ length: count }, (_, block) => {
        const size = Math.min(BLOCK_SIZE, total - block * BLOCK_SIZE);
        // Blocks next to the focused one stay mounted, so that Tab finds the next picture after scrolling away.
        const needed = near.has(block) || (focused !== null && Math.abs(block - focused) <= 1);
        return (
          <div
            key={block}
            data-block={block}
            className={ART_BLOCK}
            style={{ '--pictures': size } as React.CSSProperties}
          >
            {needed && (
              <Block creator={creator} first={block * BLOCK_SIZE} size={size} total={total} returning={returning} />
            )}
          </div>
        );
      })}
    </div>
  );
}

interface BlockProps {
  readonly creator: GalleryCreator;
  /** Index of its first picture in the gallery. */
  readonly first: number;
  readonly size: number;
  /** Number of pictures in the gallery. */
  readonly total: number;
  readonly returning: Returning;
}

function Block({ creator, first, size, total, returning }: BlockProps): React.ReactNode {
  const hasDwelt = useMountedFor(DWELL_MS);
  const page = Math.floor(first / GALLERY_PAGE_SIZE);
  const query = useQuery({
    ...galleryPageQuery(creator.id, page),
    enabled: hasDwelt,
  });
  const items = query.data?.slice(first % GALLERY_PAGE_SIZE, (first % GALLERY_PAGE_SIZE) + size);
  if (items) {
    return (
      <ul className={ART_GRID}>
        {items.map((item, at) => (
          <li
            key={item.id}
            // Screen readers need position and size when blocks of the list are not mounted.
            {...(total > BLOCK_SIZE ? { 'aria-posinset': first + at + 1, 'aria-setsize': total } : {})}
          >
            <Tile item={item} index={first + at} username={creator.username} returning={returning} />
          </li>
        ))}
        {first + size === total && (
          <RowFiller count={size}>
            <Link to={`/${creator.username}/generate`} className={ROW_FILLER_LINK}>
              <span className="display-sm text-24 text-balance">
                Your idea, in <Name>{creator.name}</Name>’s style
              </span>
              <span className="text-14 text-ink-2">Describe the next image</span>
            </Link>
          </RowFiller>
        )}
      </ul>
    );
  }
  if (query.isError) return <QueryProblem title="These pictures could not be loaded" query={query} />;
  return (
    <div className={ART_GRID} aria-busy="true">
      <Skeletons count={size} className="aspect-square" />
    </div>
  );
}

function blockOf(element: Element): number | null {
  const block = element.closest<HTMLElement>('[data-block]')?.dataset['block'];
  return block === undefined ? null : Number(block);
}

/** Indexes of the blocks within one window height of the window; the first block initially. */
function useNear(container: React.RefObject<HTMLElement | null>, count: number): ReadonlySet<number> {
  const [near, setNear] = useState<ReadonlySet<number>>(() => new Set([0]));
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) =>
        setNear((before) => {
          const now = new Set(before);
          for (const { target, isIntersecting } of entries) {
            const block = blockOf(target);
            if (block === null) continue;
            if (isIntersecting) now.add(block);
            else now.delete(block);
          }
          return now;
        }),
      { rootMargin: '100% 0px' },
    );
    for (const block of container.current?.children ?? []) observer.observe(block);
    return () => observer.disconnect();
  }, [container, count]);
  return near;
}

interface TileProps {
  readonly item: GalleryItem;
  readonly index: number;
  readonly username: string;
  readonly returning: Returning;
}

function Tile({ item, index, username, returning }: TileProps): React.ReactNode {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const link = useRef<HTMLAnchorElement>(null);
  useArrival(returning, index, link);
  const to = generationPath(username, item.id);
  const file = useMissingPicture();
  return (
    <div className="relative">
      <Link
        ref={link}
        to={to}
        state={{ returnTo: pathname }}
        onClick={(event) => {
          // Another tab has no place to restore.
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
          event.preventDefault();
          const returnPlace = returning.leave(index, event.currentTarget);
          void navigate(to, { state: { returnTo: pathname, returnPlace } });
        }}
        className={ART_TILE}
      >
        <Picture
          key={file.attempt}
          image={item.image}
          alt={item.prompt}
          sizes={ART_SIZES}
          ratio="1 / 1"
          {...file.listeners}
        />
        {!file.missing && <PromptVeil prompt={item.prompt} />}
      </Link>
      {file.missing && <MissingPicture state={file} prompt={item.prompt} className="rounded-tile" />}
    </div>
  );
}

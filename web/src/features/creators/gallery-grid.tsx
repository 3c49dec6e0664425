import { useQuery } from '@tanstack/react-query';
import { LoaderCircle } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';
import type { GalleryItem } from '../../../../src/gallery/wire.js';
import { Picture } from '../../components/ui/picture.js';
import { Skeleton } from '../../components/ui/skeleton.js';
import { EmptyState, ErrorState } from '../../components/ui/states.js';
import { creatorGallery } from '../../lib/creators.js';
import { ART_GRID, ART_SIZES, ART_TILE, PromptVeil } from './art-grid.js';

interface GalleryGridProps {
  readonly creator: { readonly id: string; readonly name: string; readonly username: string };
  /** 'GALLERY' on the profile, 'FAN ART GALLERY' below a generation. */
  readonly title: string;
}

/** The curated pictures of a creator; each leads to its generation and back here. */
export function GalleryGrid({ creator, title }: GalleryGridProps): React.ReactNode {
  const { data, isPending, isError, error, refetch, isFetching } = useQuery(creatorGallery(creator.id));
  return (
    <section aria-labelledby="gallery-title" aria-busy={isPending}>
      <h2 id="gallery-title" className="display-sm mb-4 flex items-center gap-3 text-32">
        {title}
        {isPending && <LoaderCircle aria-hidden className="size-5 text-ink-2 motion-safe:animate-spin" />}
      </h2>
      {isPending && (
        <>
          <p role="status" className="sr-only">
            Loading gallery
          </p>
          <div className={ART_GRID}>
            {Array.from({ length: 8 }, (_, index) => (
              <Skeleton key={index} className="aspect-square" />
            ))}
          </div>
        </>
      )}
      {isError && !data && (
        <ErrorState title="The gallery could not be loaded" onRetry={() => void refetch()} retrying={isFetching}>
          {error.message}
        </ErrorState>
      )}
      {data?.length === 0 && <EmptyState title="No gallery items yet. Check back later!" />}
      {data && data.length > 0 && (
        <ul className={ART_GRID}>
          {data.map((item) => (
            <li key={item.id}>
              <Tile item={item} username={creator.username} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Tile({ item, username }: { item: GalleryItem; username: string }): React.ReactNode {
  const { pathname } = useLocation();
  return (
    <Link
      to={`/${encodeURIComponent(username)}/generate/${encodeURIComponent(item.id)}`}
      state={{ returnTo: pathname }}
      className={ART_TILE}
    >
      <Picture
        image={item.image}
        alt={item.prompt}
        sizes={ART_SIZES}
        ratio="1 / 1"
        fallback={
          <span className="absolute inset-0 flex flex-col justify-end gap-1 p-3.5 text-14">
            <span className="font-[600] text-bad">Failed image generation</span>
            <span className="line-clamp-3 text-ink-2">{item.prompt}</span>
          </span>
        }
      />
      <PromptVeil prompt={item.prompt} />
    </Link>
  );
}

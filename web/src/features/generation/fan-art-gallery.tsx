import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router-dom';
import type { GalleryItem } from '../../../../src/gallery/wire.js';
import { Picture } from '../../components/ui/picture.js';
import { Skeleton } from '../../components/ui/skeleton.js';
import { ErrorState } from '../../components/ui/states.js';
import { rpc } from '../../lib/api.js';
import { generationPath } from './navigation.js';

const GRID = 'mt-5 grid grid-cols-1 gap-(--tile-gap) min-[360px]:grid-cols-2 md:grid-cols-3 lg:grid-cols-4';

/** The creator's gallery below a generation. */
export function FanArtGallery({ creatorId, username }: { creatorId: string; username: string }): React.ReactNode {
  const { pathname } = useLocation();
  const gallery = useQuery({
    queryKey: ['gallery', creatorId],
    queryFn: ({ signal }) =>
      rpc<GalleryItem[]>('get_gallery_generations_public', { p_creator_id: creatorId }, { auth: false, signal }),
  });
  return (
    <section aria-labelledby="fan-art-gallery" aria-busy={gallery.isPending} className="mt-12 sm:mt-14">
      <h2 id="fan-art-gallery" className="display-sm text-32">
        FAN ART GALLERY
      </h2>
      {gallery.isError ? (
        <ErrorState
          className="mt-5"
          title="The gallery could not be loaded"
          onRetry={() => void gallery.refetch()}
          retrying={gallery.isFetching}
        >
          {gallery.error.message}
        </ErrorState>
      ) : gallery.isPending ? (
        <div className={GRID}>
          {Array.from({ length: 4 }, (_, index) => (
            <Skeleton key={index} className="aspect-square" />
          ))}
        </div>
      ) : gallery.data.length === 0 ? (
        <p className="mt-3 text-16 text-ink-2">No gallery items yet. Check back later!</p>
      ) : (
        <ul className={GRID}>
          {gallery.data.map((item) => (
            <li key={item.id}>
              <Link
                to={generationPath(username, item.id)}
                state={{ returnTo: pathname }}
                className="group relative block overflow-hidden rounded-tile"
              >
                <Picture
                  image={item.image}
                  alt={item.prompt}
                  ratio="1 / 1"
                  sizes="(min-width: 1024px) 336px, (min-width: 800px) 33vw, (min-width: 360px) 50vw, 100vw"
                />
                <span
                  aria-hidden
                  className="absolute inset-x-0 bottom-0 bg-linear-to-t from-black/80 to-transparent px-3.5 pb-3 pt-10 text-14 text-white opacity-0 transition-opacity duration-[var(--dur-1)] group-hover:opacity-100 group-focus-visible:opacity-100"
                >
                  <span className="line-clamp-2">{item.prompt}</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

import { ArrowLeft, ArrowRight } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { IconButton } from '../../components/button.js';
import { EmptyState, QueryProblem } from '../../components/states.js';
import { usePublicCreators } from './api/get-public-creators.js';
import { NOT_MOBILE, useMedia } from '../../lib/use-media.js';
import { useMountedFor } from '../../lib/use-mounted-for.js';
import { Carousel, type CarouselHandle } from './components/carousel.js';
import { CARD_WIDTH, CreatorCardSkeleton } from './components/creator-card.js';
import { EARN } from './earn.js';
import { isFeatured } from './listing.js';

/** Delay between mount and the request for creators (fan spec, section 2). */
const LOAD_AFTER_MS = 100;

/** Discovery: the headline and the featured creators. */
export default function HomePage(): React.ReactNode {
  const mayLoad = useMountedFor(LOAD_AFTER_MS);
  const query = usePublicCreators({ enabled: mayLoad });
  const { data, isPending, isError } = query;
  const creators = data?.filter(isFeatured) ?? [];
  const wide = useMedia(NOT_MOBILE);
  const carousel = useRef<CarouselHandle>(null);
  const [position, setPosition] = useState(1);

  return (
    <>
      <title>Fanvas: Create Official Fan Art with AI</title>
      <div className="wrap">
        <div className="@container pt-2 sm:pt-0">
          <h1 className="display -ml-[0.022em] text-hero">
            <span className="block whitespace-nowrap sm:inline">Create Official </span>
            <span className="block whitespace-nowrap sm:inline">Fan Art with AI</span>
          </h1>
        </div>
        <div className="mt-2 flex min-h-10 items-center justify-between gap-4 sm:mt-6">
          <p className="text-18 text-ink-2 sm:text-20">Choose a creator below to get started</p>
          {wide && creators.length > 1 && (
            <div className="flex items-center gap-2">
              <p aria-live="polite" className="mr-2 text-14 tabular-nums text-ink-2">
                <span translate="no" className="sr-only">
                  {creators[position - 1]?.name},{' '}
                </span>
                <span>
                  {position} of {creators.length}
                </span>
              </p>
              <IconButton kind="line" label="Previous creator" onClick={() => carousel.current?.step(-1)}>
                <ArrowLeft className="size-[18px]" />
              </IconButton>
              <IconButton kind="line" label="Next creator" onClick={() => carousel.current?.step(1)}>
                <ArrowRight className="size-[18px]" />
              </IconButton>
            </div>
          )}
        </div>
      </div>

      <section aria-label="Featured creators" aria-busy={isPending} className="mt-3 sm:mt-5">
        {isPending && <Loading wide={wide} />}
        {isError && !data && (
          <div className="wrap">
            <QueryProblem title="Creators could not be loaded" query={query} />
          </div>
        )}
        {data && creators.length === 0 && (
          <div className="wrap">
            <EmptyState title="No creators yet">The first ones are on their way. Check back later!</EmptyState>
          </div>
        )}
        {creators.length > 0 && <Carousel ref={carousel} creators={creators} wide={wide} onPosition={setPosition} />}
      </section>
      <p className="wrap mt-10 text-center text-16 text-ink-2">
        Are you a creator?{' '}
        <Link to="/creator" className="link">
          {EARN}
        </Link>
        : half of every paid image is yours.
      </p>
    </>
  );
}

function Loading({ wide }: { wide: boolean }): React.ReactNode {
  return (
    <>
      <p role="status" className="sr-only">
        Loading creators
      </p>
      {wide ? (
        <div className="flex justify-center gap-6 overflow-hidden py-1">
          {[0, 1, 2].map((index) => (
            <div key={index} className="shrink-0" style={{ width: CARD_WIDTH }}>
              <CreatorCardSkeleton />
            </div>
          ))}
        </div>
      ) : (
        <div className="wrap flex flex-col gap-9">
          <CreatorCardSkeleton />
          <CreatorCardSkeleton />
        </div>
      )}
    </>
  );
}

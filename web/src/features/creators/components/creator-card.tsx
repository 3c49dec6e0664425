import { Link } from 'react-router-dom';
import type { PublicCreator } from '../../../../../src/contract/gallery.js';
import { Seal } from '../../../components/icons.js';
import { Picture } from '../../../components/picture.js';
import { Skeleton } from '../../../components/skeleton.js';
import { cx } from '../../../lib/cx.js';
import { MOBILE_BREAKPOINT_PX } from '../../../lib/use-media.js';
import { Portrait } from '../../../components/portrait.js';

/** Width of a square card in the carousel. Low windows get smaller cards, so that the name below stays visible. */
export const CARD_WIDTH = 'min(clamp(340px, 34.4vw, 520px), max(300px, 100svh - 440px))';

const WORKS_SHOWN = 3;
const TRIPTYCH = 'grid aspect-square grid-cols-[2fr_1fr] grid-rows-3 gap-1 overflow-hidden rounded-panel';

interface CreatorCardProps {
  readonly creator: PublicCreator;
  /** For the first card on the screen: fetches its portrait first. The others load when they come near the window. */
  readonly priority?: boolean;
}

/** A creator as a square triptych: the portrait and three works. */
export function CreatorCard({ creator, priority = false }: CreatorCardProps): React.ReactNode {
  const { name, username, bio, style, works } = creator;
  return (
    <Link to={`/${username}`} draggable={false} className="group block rounded-panel">
      <span className={TRIPTYCH}>
        <Portrait
          creator={creator}
          sizes={sizesOf(0.66)}
          ratio="auto"
          priority={priority}
          near={!priority}
          className="row-span-3 size-full"
        />
        {Array.from({ length: WORKS_SHOWN }, (_, index) => {
          const work = works[index];
          return work ? (
            <Picture
              key={work.url}
              image={work}
              alt=""
              sizes={sizesOf(0.33)}
              ratio="auto"
              near={!priority}
              className="size-full min-h-0"
            />
          ) : (
            <span key={index} className="bg-hover" />
          );
        })}
      </span>
      <span className="mt-4 flex items-end justify-between gap-4 px-0.5">
        <span className="flex min-w-0 items-center gap-1.5">
          <span
            translate="no"
            className="display-sm min-w-0 truncate pb-1 text-32 group-hover:underline group-hover:decoration-1 group-hover:underline-offset-4"
          >
            {name}
          </span>
          <Seal className="size-[22px]" />
        </span>
        {style && <span className="shrink-0 pb-1 text-14 text-ink-3">{style}</span>}
      </span>
      <span className="mt-1 block truncate px-0.5 text-16 text-ink-2">{firstSentence(bio)}</span>
    </Link>
  );
}

/** Displayed width of a part of the card, for `sizes`: phones show the card in their full width. */
function sizesOf(part: number): string {
  return `(min-width: ${MOBILE_BREAKPOINT_PX}px) calc(${CARD_WIDTH} * ${part}), ${part * 100}vw`;
}

/** Placeholder with the same geometry. */
export function CreatorCardSkeleton({ className }: { className?: string }): React.ReactNode {
  return (
    <div className={cx('shrink-0', className)}>
      <div className={TRIPTYCH}>
        <Skeleton className="row-span-3 rounded-none" />
        <Skeleton className="rounded-none" />
        <Skeleton className="rounded-none" />
        <Skeleton className="rounded-none" />
      </div>
      <Skeleton className="mx-0.5 mt-4 h-9 w-40 rounded-sm" />
      <Skeleton className="mx-0.5 mt-1 h-6 w-60 rounded-sm" />
    </div>
  );
}

/** A card has room for one line. */
function firstSentence(bio: string): string {
  return /^.*?[.!?](?=\s|$)/.exec(bio)?.[0] ?? bio;
}

import { Archive } from 'lucide-react';
import { Link, useParams } from 'react-router-dom';
import type { PublicCreator } from '../../../../src/contract/gallery.js';
import { Banner } from '../../components/badge.js';
import { NothingHere } from '../../components/nothing-here.js';
import { Chip } from '../../components/chip.js';
import { CreatorLeft } from '../../components/creator-left.js';
import { InstagramIcon, OnlyFansIcon, Seal, XIcon } from '../../components/icons.js';
import { Skeleton, Skeletons } from '../../components/skeleton.js';
import { QueryProblem } from '../../components/states.js';
import { usePublicCreator } from './api/get-public-creator-by-username.js';
import { cx } from '../../lib/cx.js';
import { useHydrated } from '../../lib/first-draw.js';
import { ART_GRID } from '../../components/art-grid.js';
import { GalleryGrid } from './components/gallery-grid.js';
import { isListed } from './listing.js';
import { Portrait } from '../../components/portrait.js';
import { socialLinks } from './social-links.js';

const HEAD =
  'grid grid-cols-[112px_1fr] gap-x-4 sm:grid-cols-[minmax(160px,24.35cqi)_1fr] sm:grid-rows-[1fr_auto] sm:gap-x-9';

interface CreatorPageProps {
  /** The bar at the foot of an active creator's page, where a generation starts. */
  readonly promptBar: (creator: PublicCreator) => React.ReactNode;
}

/** The public profile of a creator. */
export function CreatorPage({ promptBar }: CreatorPageProps): React.ReactNode {
  const { username = '' } = useParams();
  const query = usePublicCreator(username);
  const { data: creator, isPending, isError } = query;

  if (isPending) return <Loading />;
  if (creator?.withdrawn) return <CreatorLeft name={creator.name} />;
  if (creator) return <Profile key={creator.id} creator={creator} promptBar={promptBar} />;
  if (isError) {
    return (
      <div className="wrap py-8">
        <title>Fanvas</title>
        <QueryProblem title="This creator could not be loaded" query={query} />
      </div>
    );
  }
  return <NotFound />;
}

const ICONS = { Instagram: <InstagramIcon />, Twitter: <XIcon />, OnlyFans: <OnlyFansIcon /> } as const;

interface ProfileProps extends CreatorPageProps {
  readonly creator: PublicCreator;
}

function Profile({ creator, promptBar }: ProfileProps): React.ReactNode {
  const { name, username, bio } = creator;
  const links = socialLinks(creator);
  const lastWord = name.lastIndexOf(' ') + 1;
  const active = isListed(creator);
  const hydrated = useHydrated();
  return (
    <div className="wrap">
      <title translate="no">{`${name} (@${username}) · Fanvas`}</title>
      <meta name="description" content={`Create official fan art in the style of ${name}. ${bio}`} />

      {!active && (
        <Banner tone="warn" icon={<Archive aria-hidden />} className="mb-6">
          <strong className="font-[600]">Creator Archived.</strong> This creator is no longer active.
        </Banner>
      )}

      <div className="@container">
        <header className={HEAD}>
          <Portrait
            creator={creator}
            sizes="(min-width: 640px) 24vw, 112px"
            ratio="4 / 5"
            priority
            className="self-end rounded-tile sm:row-span-2 sm:rounded-panel"
          />
          <div className="min-w-0 self-end">
            <h1 translate="no" className={cx('display', nameSize(name))} style={{ overflowWrap: 'anywhere' }}>
              <span className="-ml-[0.02em]">{name.slice(0, lastWord)}</span>
              {/* The seal stays on the line of the last word. */}
              <span className={cx(name.length - lastWord <= LONG_WORD && 'whitespace-nowrap')}>
                <span>{name.slice(lastWord)}</span>
                <Seal className="ml-[12px] mt-[0.08em] inline-block size-[20px] align-top sm:ml-4 sm:size-[clamp(24px,0.34em,44px)]" />
              </span>
            </h1>
            <p translate="no" className="mt-1.5 text-16 text-ink-2 sm:hidden">
              @{username}
            </p>
          </div>
          <div className="col-span-2 mt-4 sm:col-span-1 sm:col-start-2 sm:mt-5 lg:flex lg:items-end lg:justify-between lg:gap-9">
            <div className="min-w-0">
              <p className="max-w-[44ch] text-pretty text-18 sm:text-20">
                <span>{bio}</span>{' '}
                <span translate="no" className="hidden text-ink-2 sm:inline">
                  @{username}
                </span>
              </p>
              {links.length > 0 && (
                <ul className="mt-4 flex flex-wrap gap-2 sm:mt-6">
                  {links.map(({ site, href }) => (
                    <li key={site}>
                      <Chip href={href} icon={ICONS[site]}>
                        {site}
                      </Chip>
                    </li>
                  ))}
                </ul>
              )}
            </div>
            {active && <Facts creator={creator} />}
          </div>
        </header>
      </div>

      {active && (
        <>
          <div className="mt-8 sm:mt-14">
            <GalleryGrid creator={creator} title="GALLERY" />
          </div>
          {/* It shows what this browser has stored, and needs scripts. */}
          {hydrated ? (
            promptBar(creator)
          ) : (
            <noscript>
              <p className="mt-8 text-16 text-ink-2">Creating an image needs JavaScript.</p>
            </noscript>
          )}
        </>
      )}
    </div>
  );
}

/** The price of an image and the share of the creator. */
function Facts({ creator: { name, credit_cost: cost } }: { readonly creator: PublicCreator }): React.ReactNode {
  return (
    <ul className="mt-6 max-w-[440px] shrink-0 border-t border-line text-14 text-ink-2 lg:mt-0 lg:w-[min(34cqi,380px)]">
      <li className="border-b border-line py-2.5">
        <strong className="font-[600] text-ink">{cost} credits</strong> an image, refunded if it fails
      </li>
      <li className="border-b border-line py-2.5">
        <strong className="font-[600] text-ink">Half of each paid image</strong> goes to{' '}
        <span translate="no">{name}</span>
      </li>
      <li className="pt-2.5">
        <Link to="/faq" className="link">
          How Fanvas works
        </Link>
      </li>
    </ul>
  );
}

/** Longer words may be broken. */
const LONG_WORD = 14;

/** As large as the longest word allows, up to 128 px. */
function nameSize(name: string): string {
  const longest = Math.max(...name.split(/\s+/).map((word) => word.length));
  if (longest > LONG_WORD) return 'text-32 sm:text-[clamp(2rem,6cqi,4.5rem)]';
  if (name.length > 13) return 'text-[clamp(min(2rem,12cqi),10.5cqi,3rem)] sm:text-[clamp(3rem,8.6cqi,7rem)]';
  return 'text-[min(14.5cqi,3.375rem)] sm:text-[clamp(3.5rem,10.5cqi,8rem)]';
}

/** The same at every address: the server draws it once. */
function NotFound(): React.ReactNode {
  return (
    <NothingHere title="Creator not found">
      There is no creator with this name. Names can change; look among the creators or search for them.
    </NothingHere>
  );
}

function Loading(): React.ReactNode {
  return (
    <div className="wrap" aria-busy="true">
      <p role="status" className="sr-only">
        Loading creator
      </p>
      <div className="@container">
        <div className={HEAD}>
          <Skeleton className="aspect-[4/5] sm:row-span-2 sm:rounded-panel" />
          <Skeleton className="h-12 w-4/5 max-w-[420px] self-end rounded-sm sm:h-[clamp(3.5rem,9cqi,7rem)]" />
          <div className="col-span-2 mt-4 sm:col-span-1 sm:col-start-2 sm:mt-5">
            <Skeleton className="h-7 w-full max-w-[400px] rounded-sm" />
            <Skeleton className="mt-7 h-9 w-[300px] rounded-pill" />
          </div>
        </div>
      </div>
      <div className="mt-8 sm:mt-14">
        <Skeleton className="mb-4 h-8 w-28 rounded-sm" />
        <div className={ART_GRID}>
          <Skeletons count={8} className="aspect-square" />
        </div>
      </div>
    </div>
  );
}

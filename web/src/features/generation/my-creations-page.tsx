import { EyeOff, LoaderCircle, SquareCheck, Undo2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { PAGE_SIZES } from '../../../../src/contract/limits.js';
import { CREATION_FILTERS, type CreationFilter, type GenerationView } from '../../../../src/contract/generation.js';
import { Badge } from '../../components/badge.js';
import { Button, ButtonLink } from '../../components/button.js';
import { Pagination } from '../../components/pagination.js';
import { MissingPicture, useMissingPicture } from '../../components/missing-picture.js';
import { Picture } from '../../components/picture.js';
import { Skeleton } from '../../components/skeleton.js';
import { EmptyState, ErrorState } from '../../components/states.js';
import { toast } from '../../components/toast.js';
import { cx } from '../../lib/cx.js';
import { textAttributes } from '../../lib/text-language.js';
import { generationPath } from '../../lib/paths.js';
import { useCreations } from './api/get-user-generations.js';
import { ART_GRID, ART_SIZES, ART_TILE, PromptVeil, ROW_FILLER_LINK, RowFiller } from '../../components/art-grid.js';
import { SelectionBar } from './components/selection-bar.js';
import { useArrival, useReturnPlace, type Returning } from '../../lib/return-place.js';
import { problemOf } from '../../lib/problem-of.js';

interface MyCreationsPageProps {
  /** Loads the code of the page to which the cards link. */
  readonly loadGenerationPage: () => Promise<unknown>;
  /** Called after images were hidden or deleted: public lists with them are out of date. */
  readonly onListsChange: () => void;
}

const FILTER_TEXTS: Readonly<Record<CreationFilter, { readonly name: string; readonly empty: string }>> = {
  all: { name: 'All', empty: '' },
  finished: { name: 'Finished', empty: 'No image is finished yet' },
  failed: { name: 'Failed', empty: 'Nothing has failed' },
};

/** Address of a page of the list. */
function listPath(show: CreationFilter, page: number): string {
  const params = new URLSearchParams({
    ...(show === 'all' ? {} : { show }),
    ...(page === 1 ? {} : { page: String(page) }),
  });
  return params.size === 0 ? '/my-creations' : `/my-creations?${params}`;
}

/** The signed-in fan's generations, newest first, twelve a page. */
export function MyCreationsPage({ loadGenerationPage, onListsChange }: MyCreationsPageProps): React.ReactNode {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const show = CREATION_FILTERS.find((filter) => filter === params.get('show')) ?? 'all';
  const page = Math.max(1, Math.floor(Number(params.get('page') ?? 1)) || 1);
  const title = useRef<HTMLHeadingElement>(null);
  const returning = useReturnPlace();
  useErrorFromState();

  const { data, isPending, isError, error, refetch, isFetching, isPlaceholderData } = useCreations(page, show);
  // Null while no selection is made; ids that are not on the page any more do not count.
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const selected = chosen && (data ?? []).map(({ generation }) => generation).filter(({ id }) => chosen.has(id));
  const toggle = (id: string): void =>
    setChosen((before) => {
      const now = new Set(before);
      if (!now.delete(id)) now.add(id);
      return now;
    });
  const bare = data?.length === 0 && page === 1 && show === 'all';
  // Failed ones follow the images, in one line each.
  const places = (data ?? []).map(({ generation }, index) => ({ generation, index }));
  const isAside = ({ generation }: Place): boolean => show === 'all' && generation.status === 'failed';
  const main = places.filter((at) => !isAside(at));
  const aside = places.filter(isAside);
  const card = ({ generation, index }: Place, line: boolean): React.ReactNode => (
    <li key={generation.id}>
      <Card
        generation={generation}
        line={line}
        selected={chosen ? chosen.has(generation.id) : null}
        onToggle={() => toggle(generation.id)}
        index={index}
        returning={returning}
        loadGenerationPage={loadGenerationPage}
      />
    </li>
  );
  const pages = Math.max(1, Math.ceil((data?.[0]?.total_count ?? 0) / PAGE_SIZES.generations));

  return (
    <div className="wrap pt-1 sm:pt-3">
      <title>My Creations · Fanvas</title>
      <h1 ref={title} tabIndex={-1} className="display text-[3.25rem] outline-none sm:text-[4.5rem]">
        My Creations
      </h1>
      {!bare && (
        <div className="mt-5 flex flex-wrap items-center justify-between gap-2 sm:mt-8">
          <nav aria-label="Filter" className="flex gap-1">
            {CREATION_FILTERS.map((filter) => (
              <Link
                key={filter}
                to={listPath(filter, 1)}
                aria-current={filter === show ? 'page' : undefined}
                onClick={() => setChosen(null)}
                className="inline-flex h-10 items-center rounded-pill border border-line px-4 text-14 font-[560] text-ink-2 hover:border-line-strong hover:text-ink aria-[current]:border-ink aria-[current]:text-ink"
              >
                {FILTER_TEXTS[filter].name}
              </Link>
            ))}
          </nav>
          {data && data.length > 0 && (
            <Button aria-pressed={selected !== null} onClick={() => setChosen(selected ? null : new Set())}>
              <SquareCheck aria-hidden className="size-[18px]" />
              <span>{selected ? 'Done' : 'Select'}</span>
            </Button>
          )}
        </div>
      )}
      {selected && (
        <SelectionBar
          selected={selected}
          all={(data ?? []).map(({ generation }) => generation)}
          onSelect={(ids) => setChosen(new Set(ids))}
          onListsChange={onListsChange}
        />
      )}
      <section aria-label="My Creations" aria-busy={isPending} className="mt-4 sm:mt-6">
        {isPending && (
          <>
            <p role="status" className="sr-only">
              Loading your creations
            </p>
            <div className={ART_GRID}>
              {Array.from({ length: 8 }, (_, index) => (
                <Skeleton key={index} className="aspect-square" />
              ))}
            </div>
          </>
        )}
        {isError && !data && (
          <ErrorState title="Your creations could not be loaded" onRetry={() => void refetch()} retrying={isFetching}>
            Your images and credits are safe. {problemOf(error)}
          </ErrorState>
        )}
        {data?.length === 0 && page === 1 && show !== 'all' && (
          <EmptyState
            title={FILTER_TEXTS[show].empty}
            className="max-w-[420px]"
            action={
              <ButtonLink to="/my-creations" kind="solid">
                Show all
              </ButtonLink>
            }
          />
        )}
        {bare && (
          <EmptyState
            title="You haven't created any art yet!"
            className="max-w-[420px]"
            action={
              <ButtonLink to="/" kind="solid">
                Start Creating
              </ButtonLink>
            }
          >
            Choose a creator, describe an image, and it appears here. One that fails costs nothing.
          </EmptyState>
        )}
        {data?.length === 0 && page > 1 && (
          <EmptyState
            title="There is no such page"
            className="max-w-[420px]"
            action={
              <ButtonLink to={listPath(show, 1)} kind="solid">
                Go to the first page
              </ButtonLink>
            }
          />
        )}
        {data && data.length > 0 && (
          <>
            <div className={cx('transition-opacity duration-[var(--dur-1)]', isPlaceholderData && 'opacity-60')}>
              {main.length > 0 && (
                <ul className={ART_GRID}>
                  {main.map((at) => card(at, false))}
                  {page === pages && show === 'all' && (
                    <RowFiller count={main.length}>
                      <Link to="/" className={ROW_FILLER_LINK}>
                        <span className="display-sm text-24 text-balance">What comes next?</span>
                        <span className="text-14 text-ink-2">Choose a creator</span>
                      </Link>
                    </RowFiller>
                  )}
                </ul>
              )}
              {aside.length > 0 && (
                <section aria-labelledby="failed-title" className={main.length > 0 ? 'mt-10' : ''}>
                  <h2 id="failed-title" className="text-16 font-[600] text-ink-2">
                    Not finished
                  </h2>
                  <ul className="mt-3 flex flex-col gap-2">{aside.map((at) => card(at, true))}</ul>
                </section>
              )}
            </div>
            {pages > 1 && (
              <div className="mt-6">
                <Pagination
                  page={page}
                  pages={pages}
                  onPage={(next) => {
                    setChosen(null);
                    void navigate(listPath(show, next));
                    window.scrollTo(0, 0);
                    title.current?.focus({ preventScroll: true });
                  }}
                />
              </div>
            )}
          </>
        )}
      </section>
    </div>
  );
}

/** Shows the error that another page put into the navigation state, once. */
function useErrorFromState(): void {
  const location = useLocation();
  const { pathname, search } = location;
  const state = location.state as { error?: unknown } | null;
  const navigate = useNavigate();
  useEffect(() => {
    const error = state?.error;
    if (typeof error !== 'string') return;
    toast({ title: error, kind: 'error' });
    void navigate(pathname + search, { replace: true, state: null });
  }, [navigate, pathname, search, state]);
}

/** A generation and its index on the page. */
interface Place {
  readonly generation: GenerationView;
  readonly index: number;
}

interface CardProps extends Pick<MyCreationsPageProps, 'loadGenerationPage'> {
  readonly generation: GenerationView;
  /** A line instead of a square. */
  readonly line: boolean;
  /** Null while no selection is made. */
  readonly selected: boolean | null;
  readonly onToggle: () => void;
  /** On its page. */
  readonly index: number;
  readonly returning: Returning;
}

const POSTER = 'absolute inset-0 flex flex-col justify-between gap-3 rounded-tile border border-line p-4';
const LINE = 'flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1.5 rounded-tile border border-line px-4 py-3';

function Card({
  generation,
  line,
  selected,
  onToggle,
  index,
  returning,
  loadGenerationPage,
}: CardProps): React.ReactNode {
  const { pathname, search } = useLocation();
  const { id, status, prompt, image, creator_username: username, refunded, hidden, moderation } = generation;
  const { aspect_ratio: aspectRatio } = generation;
  const navigate = useNavigate();
  const file = useMissingPicture();
  const known = username !== '' && username !== 'unknown';
  const to = known ? generationPath(username, id) : pathname;
  const state = { returnTo: pathname + search, aspectRatio };
  const link = useRef<HTMLAnchorElement>(null);
  useArrival(returning, index, link);
  const view = async (tile: Element): Promise<void> => {
    const returnPlace = returning.leave(index, tile);
    try {
      await loadGenerationPage();
    } catch (error) {
      console.warn('The page of a creation could not be loaded', error);
      return void toast({ title: 'An error occurred while trying to view this creation.', kind: 'error' });
    }
    await navigate(to, { state: { ...state, returnPlace } });
  };
  const look = line ? 'group relative block rounded-tile bg-surface' : ART_TILE;
  const content = (
    <>
      {status === 'completed' && image ? (
        <>
          <Picture key={file.attempt} image={image} alt={prompt} sizes={ART_SIZES} ratio="1 / 1" {...file.listeners} />
          {!file.missing && <PromptVeil prompt={prompt} />}
          {hidden && (
            <Badge icon={<EyeOff aria-hidden />} className="absolute left-3 top-3">
              Hidden
            </Badge>
          )}
        </>
      ) : (
        <span className={line ? cx(LINE, selected !== null && 'pr-14') : POSTER}>
          <span
            {...textAttributes(prompt)}
            className={
              line
                ? 'line-clamp-1 min-w-0 flex-1 basis-60 break-words text-16'
                : 'display-sm line-clamp-2 shrink-0 break-words pb-0.5 text-20 text-balance lg:line-clamp-4 lg:text-24'
            }
          >
            {prompt}
          </span>
          <span className={cx('flex gap-2 text-14', line ? 'flex-wrap items-center gap-x-4' : 'flex-col items-start')}>
            {status === 'pending' ? (
              <span className="inline-flex items-center gap-2 text-ink-2">
                <LoaderCircle aria-hidden className="size-4 text-seal-mark motion-safe:animate-spin" />
                Generating...
              </span>
            ) : (
              <span className="text-ink-2">
                {moderation?.decision === 'taken_down' ? 'Taken down' : 'Generation Unsuccessful'}
              </span>
            )}
            {refunded && (
              <Badge tone="good" icon={<Undo2 aria-hidden />}>
                Credits Refunded
              </Badge>
            )}
          </span>
        </span>
      )}
    </>
  );
  if (selected !== null) {
    return (
      <div className={look}>
        {content}
        {/* The outline lies above the picture, which would cover it. */}
        <label
          className={cx(
            'absolute inset-0 flex cursor-pointer justify-end rounded-tile p-3',
            // Above the mark of the picture, and across from the badge of a hidden one.
            line ? 'items-center' : 'items-start',
            selected && 'outline-3 outline-offset-[-3px] outline-focus',
          )}
        >
          <span className="sr-only">
            Select: <span {...textAttributes(prompt)}>{prompt}</span>
          </span>
          <input
            type="checkbox"
            checked={selected}
            disabled={status === 'pending'}
            className="size-6 accent-(--seal-mark)"
            onChange={onToggle}
          />
        </label>
      </div>
    );
  }
  return (
    <div className="relative">
      <Link
        ref={link}
        to={to}
        state={state}
        onClick={(event) => {
          // The browser opens another tab itself.
          if (known && (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)) return;
          event.preventDefault();
          if (known) void view(event.currentTarget);
          else toast({ title: 'Unable to view this creation. The creator information is missing.', kind: 'error' });
        }}
        className={look}
      >
        {content}
      </Link>
      {file.missing && <MissingPicture state={file} prompt={prompt} className="rounded-tile" />}
    </div>
  );
}

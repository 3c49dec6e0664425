import { SquareCheck } from 'lucide-react';
import { Link } from 'react-router-dom';
import { CREATION_FILTERS, type CreationFilter } from '../../../../src/contract/generation.js';
import { ART_GRID, ROW_FILLER_LINK, RowFiller } from '../../components/art-grid.js';
import { Button, ButtonLink } from '../../components/button.js';
import { Loading } from '../../components/loading.js';
import { Pagination } from '../../components/pagination.js';
import { Skeletons } from '../../components/skeleton.js';
import { EmptyState, QueryProblem } from '../../components/states.js';
import { cx } from '../../lib/cx.js';
import { problemOf } from '../../lib/problem-of.js';
import { useReturnPlace } from '../../lib/return-place.js';
import { CreationCard } from './components/creation-card.js';
import { SelectionBar } from './components/selection-bar.js';
import { listPath, useMyCreationsPage, type ListedCreation } from './use-my-creations-page.js';

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

/** The signed-in fan's generations, newest first, twelve a page. */
export function MyCreationsPage({ loadGenerationPage, onListsChange }: MyCreationsPageProps): React.ReactNode {
  const { titleRef, ...list } = useMyCreationsPage();
  const { show, page, pages, query, rows, main, aside, selected, select } = list;
  const returning = useReturnPlace();
  const cards = (creations: readonly ListedCreation[], line: boolean): React.ReactNode =>
    creations.map(({ generation, index }) => (
      <li key={generation.id}>
        <CreationCard
          generation={generation}
          line={line}
          selected={selected && selected.includes(generation)}
          onToggle={() => list.toggle(generation.id)}
          index={index}
          returning={returning}
          loadGenerationPage={loadGenerationPage}
        />
      </li>
    ));

  return (
    <div className="wrap pt-1 sm:pt-3">
      <title>My Creations · Fanvas</title>
      <h1 ref={titleRef} tabIndex={-1} className="display text-[3.25rem] outline-none sm:text-[4.5rem]">
        My Creations
      </h1>
      {!(rows?.length === 0 && page === 1 && show === 'all') && (
        <div className="mt-5 flex flex-wrap items-center justify-between gap-2 sm:mt-8">
          <nav aria-label="Filter" className="flex gap-1">
            {CREATION_FILTERS.map((filter) => (
              <Link
                key={filter}
                to={listPath(filter, 1)}
                aria-current={filter === show ? 'page' : undefined}
                onClick={() => select(null)}
                className="inline-flex h-10 items-center rounded-pill border border-line px-4 text-14 font-[560] text-ink-2 hover:border-line-strong hover:text-ink aria-[current]:border-ink aria-[current]:text-ink"
              >
                {FILTER_TEXTS[filter].name}
              </Link>
            ))}
          </nav>
          {rows && rows.length > 0 && (
            <Button aria-pressed={selected !== null} onClick={() => select(selected ? null : [])}>
              <SquareCheck aria-hidden className="size-[18px]" />
              <span>{selected ? 'Done' : 'Select'}</span>
            </Button>
          )}
        </div>
      )}
      {selected && (
        <SelectionBar selected={selected} all={rows ?? []} onSelect={select} onListsChange={onListsChange} />
      )}
      <section aria-label="My Creations" aria-busy={query.isPending} className="mt-4 sm:mt-6">
        {query.isPending && (
          <Loading text="Loading your creations">
            <div className={ART_GRID}>
              <Skeletons count={8} className="aspect-square" />
            </div>
          </Loading>
        )}
        {query.isError && !rows && (
          <QueryProblem title="Your creations could not be loaded" query={query}>
            Your images and credits are safe. {problemOf(query.error)}
          </QueryProblem>
        )}
        {rows?.length === 0 && <NoCreations show={show} page={page} />}
        {rows && rows.length > 0 && (
          <>
            <div className={cx('transition-opacity duration-[var(--dur-1)]', query.isPlaceholderData && 'opacity-60')}>
              {main.length > 0 && (
                <ul className={ART_GRID}>
                  {cards(main, false)}
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
                  <ul className="mt-3 flex flex-col gap-2">{cards(aside, true)}</ul>
                </section>
              )}
            </div>
            {pages > 1 && (
              <div className="mt-6">
                <Pagination page={page} pages={pages} onPage={list.goTo} />
              </div>
            )}
          </>
        )}
      </section>
    </div>
  );
}

/** Why the list is empty, and the next step. */
function NoCreations({ show, page }: { readonly show: CreationFilter; readonly page: number }): React.ReactNode {
  const [title, to, step] =
    page > 1
      ? ['There is no such page', listPath(show, 1), 'Go to the first page']
      : show !== 'all'
        ? [FILTER_TEXTS[show].empty, '/my-creations', 'Show all']
        : ["You haven't created any art yet!", '/', 'Start Creating'];
  return (
    <EmptyState
      title={title}
      className="max-w-[420px]"
      action={
        <ButtonLink to={to} kind="solid">
          {step}
        </ButtonLink>
      }
    >
      {page === 1 &&
        show === 'all' &&
        'Choose a creator, describe an image, and it appears here. One that fails costs nothing.'}
    </EmptyState>
  );
}

import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { CREATION_FILTERS, type CreationFilter, type GenerationView } from '../../../../src/contract/generation.js';
import { PAGE_SIZES } from '../../../../src/contract/limits.js';
import { pageOf } from '../../components/pagination.js';
import { toast } from '../../components/toast.js';
import { useCreations } from './api/get-user-generations.js';
import { isDeletable } from './generation-view.js';

/** A generation and its index on the page. */
export interface ListedCreation {
  readonly generation: GenerationView;
  readonly index: number;
}

/** The page of the list that the address names, and the selection on it. */
export function useMyCreationsPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const show = CREATION_FILTERS.find((filter) => filter === params.get('show')) ?? 'all';
  const page = pageOf(params);
  const titleRef = useRef<HTMLHeadingElement>(null);
  useErrorFromState();
  const query = useCreations(page, show);
  const rows = query.data?.map(({ generation }) => generation);
  // Null while no selection is made. Ids that are not on the page any more, or were taken down, do not count.
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const creations = (rows ?? []).map((generation, index): ListedCreation => ({ generation, index }));
  const isAside = ({ generation }: ListedCreation): boolean => show === 'all' && generation.status === 'failed';
  return {
    show,
    page,
    titleRef,
    query,
    rows,
    pages: Math.max(1, Math.ceil((query.data?.[0]?.total_count ?? 0) / PAGE_SIZES.generations)),
    main: creations.filter((creation) => !isAside(creation)),
    /** Failed ones follow the images, in one line each. */
    aside: creations.filter(isAside),
    selected: chosen && (rows ?? []).filter((row) => chosen.has(row.id) && isDeletable(row)),
    /** Selects these; null ends the selection. */
    select: (ids: readonly string[] | null): void => setChosen(ids && new Set(ids)),
    toggle: (id: string): void =>
      setChosen((before) => {
        const now = new Set(before);
        if (!now.delete(id)) now.add(id);
        return now;
      }),
    goTo: (next: number): void => {
      setChosen(null);
      void navigate(listPath(show, next));
      window.scrollTo(0, 0);
      titleRef.current?.focus({ preventScroll: true });
    },
  };
}

/** Address of a page of the list. */
export function listPath(show: CreationFilter, page: number): string {
  const params = new URLSearchParams({
    ...(show === 'all' ? {} : { show }),
    ...(page === 1 ? {} : { page: String(page) }),
  });
  return params.size === 0 ? '/my-creations' : `/my-creations?${params}`;
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

import {
  IDLE_BLOCKER,
  IDLE_FETCHER,
  IDLE_NAVIGATION,
  matchRoutes,
  resolvePath,
  UNSAFE_createBrowserHistory as createBrowserHistory,
  UNSAFE_mapRouteProperties as mapRouteProperties,
  type Blocker,
  type BlockerFunction,
  type Location,
  type RouteObject,
  type RouterProvider,
  type To,
} from 'react-router-dom';

/** The router that `<RouterProvider>` accepts. */
export type PageRouter = React.ComponentProps<typeof RouterProvider>['router'];
type Action = PageRouter['state']['historyAction'];
type Match = PageRouter['state']['matches'][number];
type Route = Match['route'];
type Subscriber = Parameters<PageRouter['subscribe']>[0];
type NavigateOptions = NonNullable<Parameters<PageRouter['navigate']>[1]>;

/**
 * Called when the code of a page could not be loaded while another page is shown, which then stays. `again` repeats the
 * navigation; the signal ends when another one begins. Returns false to show the error in place of the page.
 */
export type OnMissingCode = (error: unknown, href: string, again: () => void, signal: AbortSignal) => boolean;

/** The `handle` of a route whose element loads code of its own, by the path. */
export interface CodeHandle {
  /** Undefined when all code is there. */
  readonly loadCode: (pathname: string) => Promise<unknown> | undefined;
}

/** A step to another history entry. `commit` changes the address; a POP has already changed it. */
interface Step {
  readonly action: Action;
  readonly location: Location;
  /** Number of history entries that a POP moved. */
  readonly delta?: number | null;
  readonly commit?: () => void;
  /** Whether the page is drawn when the navigation ends, and not some time after it. */
  readonly flushSync?: boolean;
}

/**
 * A router for React Router's `<RouterProvider>` that supports routes with `lazy` code, error boundaries and
 * `useBlocker`. `createBrowserRouter` would add 16 kB (gzip) to the landing page for loaders, actions and fetchers,
 * which no route uses. Both take the same route table, so switching to `createBrowserRouter` changes one line.
 *
 * The server draws pages with a history in memory. The code of a page is loaded before the navigation to it is
 * committed; a newer navigation replaces a pending one.
 */
export function createPageRouter(
  routes: readonly RouteObject[],
  history: ReturnType<typeof createBrowserHistory> = createBrowserHistory(),
  onMissingCode: OnMissingCode = () => false,
): PageRouter {
  const manifest: Record<string, Route> = {};
  const table = routes.map((route, index) => identified(route, String(index), manifest));
  const subscribers = new Set<Subscriber>();
  const blockers = new Map<string, BlockerFunction>();
  let latest = new AbortController();
  let afterRevert: (() => void) | null = null;
  let stopListening: () => void = () => undefined;

  const matchesOf = (location: Location): Match[] => matchRoutes(table, location) ?? [];
  const firstMatches = matchesOf(history.location);
  let state: PageRouter['state'] = {
    historyAction: history.action,
    location: history.location,
    matches: firstMatches,
    initialized: !firstMatches.some(isUnloaded),
    renderFallback: firstMatches.some(isUnloaded),
    navigation: IDLE_NAVIGATION,
    restoreScrollPosition: null,
    preventScrollReset: false,
    revalidation: 'idle',
    loaderData: {},
    actionData: null,
    errors: null,
    fetchers: new Map(),
    blockers: new Map(),
  };

  const update = (changes: Partial<PageRouter['state']>, flushSync = false): void => {
    state = { ...state, ...changes };
    const newErrors = changes.errors ?? null;
    for (const subscriber of [...subscribers]) {
      subscriber(state, { deletedFetchers: [], newErrors, flushSync });
    }
  };
  const setBlocker = (key: string, blocker: Blocker): void =>
    update({ blockers: new Map(state.blockers).set(key, blocker) });

  const take = async (step: Step, matches = matchesOf(step.location)): Promise<void> => {
    latest.abort();
    const { signal } = (latest = new AbortController());
    const { action, location } = step;
    let failure: Failure | null = null;
    const code = codeOf(matches, location);
    if (code.length > 0) {
      if (state.initialized) update({ navigation: loading(step, matches) });
      failure = await load(code);
      if (signal.aborted) return;
      if (failure && state.initialized && keepsPage(failure.error, step, signal)) return;
    }
    step.commit?.();
    update(
      {
        historyAction: action,
        location,
        matches,
        errors: failure?.errors ?? null,
        initialized: true,
        renderFallback: false,
        navigation: IDLE_NAVIGATION,
        blockers: new Map([...blockers.keys()].map((key) => [key, IDLE_BLOCKER])),
      },
      step.flushSync,
    );
  };

  /** The key of the blocker that stops this step; only the newest one is asked. */
  const blockerOf = ({ action, location }: Step): string | undefined => {
    const [key, shouldBlock] = [...blockers].at(-1) ?? [];
    if (key === undefined || state.blockers.get(key)?.state === 'proceeding') return undefined;
    const asked = { currentLocation: state.location, nextLocation: location, historyAction: action };
    return shouldBlock?.(asked) ? key : undefined;
  };
  const block = (key: string, location: Location, proceed: () => void): void => {
    const reset = (): void => setBlocker(key, IDLE_BLOCKER);
    setBlocker(key, {
      state: 'blocked',
      location,
      reset,
      proceed: () => {
        setBlocker(key, { state: 'proceeding', location, reset: undefined, proceed: undefined });
        proceed();
      },
    });
  };

  const attempt = async (step: Step): Promise<void> => {
    const key = blockerOf(step);
    if (key !== undefined) return block(key, step.location, () => void take(step));
    await take(step);
  };

  /** Whether the page of before stays. After a step in the history, which the browser has taken, it steps back. */
  const keepsPage = (error: unknown, step: Step, signal: AbortSignal): boolean => {
    const { action, delta, location } = step;
    const isPop = String(action) === 'POP';
    if (isPop && delta == null) return false;
    const again = (): void => (isPop ? history.go(delta!) : void attempt(step));
    if (!onMissingCode(error, history.createHref(location), again, signal)) return false;
    if (isPop) {
      afterRevert = () => undefined;
      history.go(-delta!);
    }
    update({ navigation: IDLE_NAVIGATION });
    return true;
  };

  const navigate = async (to: number | To | null, options?: NavigateOptions): Promise<void> => {
    if (typeof to === 'number') return history.go(to);
    const { pathname, search, hash } = history.encodeLocation(resolvePath(to ?? '.', state.location.pathname));
    const location: Location = {
      pathname,
      search,
      hash,
      state: (options?.state ?? null) as unknown,
      key: Math.random().toString(36).slice(2, 10),
    };
    const replace = options?.replace === true;
    const step: Step = {
      action: (replace ? 'REPLACE' : 'PUSH') as Action,
      location,
      commit: () => (replace ? history.replace(location, location.state) : history.push(location, location.state)),
      flushSync: options?.flushSync === true,
    };
    await attempt(step);
  };

  const onPop = (step: Step): void => {
    if (afterRevert) {
      const done = afterRevert;
      afterRevert = null;
      return done();
    }
    const { delta } = step;
    const key = blockerOf(step);
    if (key === undefined || delta == null) return void take(step);
    // The browser has already changed the history entry: go back to the previous one, then block.
    afterRevert = () => block(key, step.location, () => history.go(delta));
    history.go(-delta);
  };

  const router: PageRouter = {
    basename: '/',
    future: {},
    get state() {
      return state;
    },
    routes: table,
    branches: undefined,
    manifest,
    window: typeof window === 'undefined' ? undefined : window,
    initialize() {
      stopListening = history.listen(({ action, location, delta }) => onPop({ action, location, delta }));
      if (!state.initialized) void take({ action: history.action, location: history.location }, firstMatches);
      return router;
    },
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    dispose() {
      stopListening();
      subscribers.clear();
    },
    navigate,
    createHref: (to) => history.createHref(to),
    createURL: (to) => history.createURL(to),
    encodeLocation: (to) => history.encodeLocation(to),
    getBlocker(key, shouldBlock) {
      blockers.set(key, shouldBlock);
      return state.blockers.get(key) ?? IDLE_BLOCKER;
    },
    deleteBlocker(key) {
      blockers.delete(key);
      state.blockers.delete(key);
    },
    // shell/layout.tsx restores the scroll position. The other members serve only loaders and actions.
    enableScrollRestoration: () => () => undefined,
    revalidate: () => Promise.resolve(),
    fetch: unsupported,
    getFetcher: () => IDLE_FETCHER,
    resetFetcher: unsupported,
    deleteFetcher: () => undefined,
    patchRoutes: unsupported,
    _internalSetRoutes: unsupported,
    _internalSetStateDoNotUseOrYouWillBreakYourApp: unsupported,
    _internalFetchControllers: new Map(),
  };
  return router.initialize();
}

/** Resolves when the code of the first page is loaded, or cannot be. */
export function whenInitialized(router: PageRouter): Promise<void> {
  if (router.state.initialized) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      stop();
      resolve();
    });
  });
}

function unsupported(): never {
  throw new Error('The page router has no loaders, actions or fetchers. Use createBrowserRouter for them.');
}

/** Returns the route with its position in the table as its id. Adds the route and its children to the manifest. */
function identified(route: RouteObject, id: string, manifest: Record<string, Route>): Route {
  const { children, ...rest } = { ...route, ...mapRouteProperties(route), id };
  const known = {
    ...rest,
    ...(children ? { children: children.map((child, index) => identified(child, `${id}-${index}`, manifest)) } : {}),
  } as Route;
  manifest[id] = known;
  return known;
}

function isUnloaded({ route }: Match): boolean {
  return route.lazy !== undefined;
}

function loading({ location, action }: Step, matches: Match[]): PageRouter['state']['navigation'] {
  const { state: _idle, ...noSubmission } = IDLE_NAVIGATION;
  return { ...noSubmission, state: 'loading', location, matches, historyAction: action };
}

interface Code {
  readonly load: () => Promise<unknown>;
  /** Shows a failure; undefined if the element of the route does. */
  readonly boundary: Route | undefined;
}

interface Failure {
  readonly error: unknown;
  readonly errors: PageRouter['state']['errors'];
}

/** The code that the matched routes still need. The nearest error boundary above a route shows its failure. */
function codeOf(matches: readonly Match[], { pathname }: Location): Code[] {
  return matches.flatMap(({ route }, index): Code[] => {
    const { lazy } = route;
    const handle = route.handle as CodeHandle | undefined;
    if (typeof lazy !== 'function') {
      const arriving = handle?.loadCode(pathname);
      return arriving === undefined ? [] : [{ load: () => arriving, boundary: undefined }];
    }
    const load = async (): Promise<void> => {
      const loaded = await lazy();
      Object.assign(route, loaded, mapRouteProperties({ ...route, ...loaded }), { lazy: undefined });
    };
    const above = matches.slice(0, index + 1).findLast((match) => match.route.errorElement !== undefined);
    return [{ load, boundary: (above ?? matches[0])?.route }];
  });
}

async function load(code: readonly Code[]): Promise<Failure | null> {
  for (const { load, boundary } of code) {
    try {
      await load();
    } catch (error) {
      return { error, errors: boundary ? { [boundary.id]: error } : null };
    }
  }
  return null;
}

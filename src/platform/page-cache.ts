import { type Notifications } from './database/notifications.js';
import { CHANGED_PAGES, EVERYTHING_CHANGED } from './pages.js';

/** A drawn page, and the names of what it shows. */
export interface Drawn<Page> {
  readonly page: Page;
  /** A change of one of these makes the page outdated. Null: the page is not kept. */
  readonly shows: readonly string[] | null;
  /** The page is also kept under another key, so keeping it here takes no memory of its own. */
  readonly shared?: boolean;
}

/** Keys of shared pages that are kept. */
const MOST_SHARED = 5_000;

/** Draws after which a page is returned although it may be outdated, because changes keep arriving. */
const MOST_DRAWS = 3;

/**
 * Keeps drawn pages until something on them changes, the least recently used ones are dropped first. Simultaneous
 * requests for a page share one drawing. While changes are not announced, each request draws its own page.
 */
export class PageCache<Page> {
  /** The least recently used page comes first. */
  private readonly kept = new Map<string, Drawn<Page>>();
  private readonly shared = new Map<string, Drawn<Page>>();
  private readonly running = new Map<string, Promise<Page>>();
  /** Changes that were announced during a drawing. */
  private readonly observers = new Set<Set<string>>();
  private following = false;

  constructor(private readonly mostPages: number) {}

  /** Whether `get` returns this page without drawing it. */
  has(key: string): boolean {
    return this.following && (this.kept.has(key) || this.shared.has(key));
  }

  /** The page with this key, drawn if needed. @throws what the drawing throws; nothing is kept then */
  async get(key: string, draw: () => Promise<Drawn<Page>>): Promise<Page> {
    if (!this.following) return (await draw()).page;
    const kept = this.kept.get(key) ?? this.shared.get(key);
    if (kept) {
      this.keep(key, kept);
      return kept.page;
    }
    const running = this.running.get(key);
    if (running) return running;
    const drawing = this.drawCurrent(key, draw).finally(() => {
      if (this.running.get(key) === drawing) this.running.delete(key);
    });
    this.running.set(key, drawing);
    return drawing;
  }

  /** Drops the pages that show this. */
  forget(name: string): void {
    for (const pages of [this.kept, this.shared]) {
      for (const [key, { shows }] of pages) if (shows?.includes(name)) pages.delete(key);
    }
    for (const changes of this.observers) changes.add(name);
  }

  /** Call it when changes begin to be announced, and when they no longer are. Drops all pages. */
  follow(following: boolean): void {
    this.following = following;
    this.kept.clear();
    this.shared.clear();
    this.running.clear();
    for (const changes of this.observers) changes.add(EVERYTHING);
  }

  /** Draws again when what the page shows has changed since the drawing began. */
  private async drawCurrent(key: string, draw: () => Promise<Drawn<Page>>): Promise<Page> {
    for (let draws = 1; ; draws += 1) {
      const changes = new Set<string>();
      this.observers.add(changes);
      const drawn = await draw().finally(() => this.observers.delete(changes));
      const { page, shows } = drawn;
      const outdated = changes.has(EVERYTHING) || shows?.some((name) => changes.has(name)) === true;
      if (!outdated && shows && this.following) this.keep(key, drawn);
      if (!outdated || draws === MOST_DRAWS) return page;
    }
  }

  /** Keeps it as the most recently used one. */
  private keep(key: string, drawn: Drawn<Page>): void {
    const pages = drawn.shared ? this.shared : this.kept;
    pages.delete(key);
    pages.set(key, drawn);
    for (const oldest of pages.keys()) {
      if (pages.size <= (drawn.shared ? MOST_SHARED : this.mostPages)) break;
      pages.delete(oldest);
    }
  }
}

const EVERYTHING = '*';

/** Drops the pages that any instance has changed. Resolves after the first attempt to listen. */
export async function followPages(
  notifications: Notifications,
  pages: Pick<PageCache<unknown>, 'forget' | 'follow'>,
): Promise<void> {
  await notifications.listen(CHANGED_PAGES, {
    notified: (name) => (name === EVERYTHING_CHANGED ? pages.follow(true) : pages.forget(name)),
    follow: (following) => pages.follow(following),
  });
}

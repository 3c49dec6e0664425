import { type Notifications } from './database/notifications.js';
import { CHANGED_PAGES, EVERYTHING_CHANGED } from './pages.js';

/** A drawn page, and the names of what it shows. */
export interface Drawn<Page> {
  readonly page: Page;
  /** A change of one of these makes the page outdated. Null: the page is not kept. */
  readonly shows: readonly string[] | null;
}

/** Draws after which a page is returned although it may be outdated, because changes keep arriving. */
const MOST_DRAWS = 3;

/**
 * Keeps drawn pages until something on them changes, the least recently used ones are dropped first. Simultaneous
 * requests for a page share one drawing. While changes are not announced, each request draws its own page.
 */
export class PageCache<Page> {
  /** The least recently used page comes first. */
  private readonly kept = new Map<string, Drawn<Page>>();
  private readonly running = new Map<string, Promise<Page>>();
  /** Changes that were announced during a drawing. */
  private readonly observers = new Set<Set<string>>();
  private following = false;

  constructor(
    private readonly draw: (path: string) => Promise<Drawn<Page>>,
    private readonly mostPages: number,
  ) {}

  /** The page at this path. @throws what the drawing throws; nothing is kept then */
  async get(path: string): Promise<Page> {
    if (!this.following) return (await this.draw(path)).page;
    const kept = this.kept.get(path);
    if (kept) {
      this.kept.delete(path);
      this.kept.set(path, kept);
      return kept.page;
    }
    const running = this.running.get(path);
    if (running) return running;
    const drawing = this.drawCurrent(path).finally(() => {
      if (this.running.get(path) === drawing) this.running.delete(path);
    });
    this.running.set(path, drawing);
    return drawing;
  }

  /** Drops the pages that show this. */
  forget(name: string): void {
    for (const [path, { shows }] of this.kept) if (shows?.includes(name)) this.kept.delete(path);
    for (const changes of this.observers) changes.add(name);
  }

  /** Call it when changes begin to be announced, and when they no longer are. Drops all pages. */
  follow(following: boolean): void {
    this.following = following;
    this.kept.clear();
    this.running.clear();
    for (const changes of this.observers) changes.add(EVERYTHING);
  }

  /** Draws again when what the page shows has changed since the drawing began. */
  private async drawCurrent(path: string): Promise<Page> {
    for (let draws = 1; ; draws += 1) {
      const changes = new Set<string>();
      this.observers.add(changes);
      const drawn = await this.draw(path).finally(() => this.observers.delete(changes));
      const { page, shows } = drawn;
      const outdated = changes.has(EVERYTHING) || shows?.some((name) => changes.has(name)) === true;
      if (!outdated && shows && this.following) this.keep(path, drawn);
      if (!outdated || draws === MOST_DRAWS) return page;
    }
  }

  private keep(path: string, drawn: Drawn<Page>): void {
    this.kept.set(path, drawn);
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= this.mostPages) break;
      this.kept.delete(oldest);
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

import { type EventStore, type StoredEvent } from '../event-store/event-store.js';

/** Reads a projection's events page by page, and the next page already while the last one is applied. */
export class PageReader {
  private ahead: { readonly after: string; readonly page: Promise<StoredEvent[]> } | null = null;

  constructor(
    private readonly eventStore: EventStore,
    private readonly streamPrefix: string,
    /** Most events of a page. */
    readonly size: number,
  ) {}

  /** The page after this position; a full one may be followed by more. */
  async read(after: string | null): Promise<StoredEvent[]> {
    const page = await this.take(after);
    const last = page.at(-1);
    if (last && page.length === this.size) {
      const next = this.fetch(last.position);
      // It is awaited later, or never when another instance goes on: then its error is nobody's.
      next.catch(() => undefined);
      this.ahead = { after: last.position, page: next };
    }
    return page;
  }

  private async take(after: string | null): Promise<StoredEvent[]> {
    const { ahead } = this;
    this.ahead = null;
    if (ahead?.after === after) {
      const page = await ahead.page;
      // A full page stays what it is; there may be more by now of one that was not.
      if (page.length === this.size) return page;
    }
    return this.fetch(after);
  }

  private fetch(after: string | null): Promise<StoredEvent[]> {
    return this.eventStore.readAll({ after, limit: this.size, streamPrefix: this.streamPrefix });
  }
}

import { type EventStore, type StoredEvent } from '../event-store/event-store.js';

/** Reads a projection's events page by page. Reads the next page ahead while the last one is applied. */
export class PageReader {
  private ahead: { readonly after: string; readonly page: Promise<StoredEvent[]> } | null = null;

  constructor(
    private readonly eventStore: EventStore,
    private readonly streamPrefix: string,
    /** Maximum number of events in a page. */
    readonly size: number,
  ) {}

  /** Returns the page after this position. More events may follow a full page. */
  async read(after: string | null): Promise<StoredEvent[]> {
    const page = await this.take(after);
    const last = page.at(-1);
    if (last && page.length === this.size) {
      const next = this.fetch(last.position);
      // Awaited later, or never if another instance continues: then its error must not go unhandled.
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
      // A full page cannot change; a partial page may have grown since.
      if (page.length === this.size) return page;
    }
    return this.fetch(after);
  }

  private fetch(after: string | null): Promise<StoredEvent[]> {
    return this.eventStore.readAll({ after, limit: this.size, streamPrefix: this.streamPrefix });
  }
}

import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type AccountEvent, type LedgerEventsPage, type LedgerExportPage } from '../../contract/audit.js';
import { ACCOUNT_STREAM_PREFIX, accountStream, userOfStream } from '../../credits/index.js';
import { DomainError } from '../../platform/domain-error.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { type PageAfter, QueryOf } from '../../platform/messages.js';
import { CursorError, ExportPages } from '../export/export-pages.js';
import { readChainedEvent } from '../history/chained-event.js';
import { objectsOf } from '../history/event-objects.js';
import { proofsOf } from '../history/event-proofs.js';
import { findEvents } from '../search/find-events.js';
import { textIn } from '../verify/read-account.js';
import { LedgerRead, orDeleted } from './ledger-read.js';

/**
 * An event of an account: its content, its neighbours in the hash chain, its leaf in the public log, and its picture
 * and earnings.
 * @throws DomainError notFound, gone
 */
export class GetAccountEvent extends QueryOf<{ readonly userId: string; readonly version: number }, AccountEvent> {}

/**
 * A page of the events that mention an id.
 * @param input `after`: `next` of the page before
 * @throws DomainError invalid for another `after`
 */
export class FindLedgerEvents extends QueryOf<PageAfter<string> & { readonly id: string }, LedgerEventsPage> {}

/**
 * A page of the export of the ledger.
 * @param input `cursor`: that of the page before
 * @throws DomainError invalid for another cursor; gone
 */
export class ExportLedgerEvents extends QueryOf<
  { readonly cursor: string | null; readonly limit: number },
  LedgerExportPage
> {}

@QueryHandler(GetAccountEvent)
export class GetAccountEventHandler extends LedgerRead<GetAccountEvent> {
  async execute({ input: { userId, version } }: GetAccountEvent): Promise<AccountEvent> {
    const found = await orDeleted(readChainedEvent(this.eventStore, accountStream(userId), version));
    if (!found) throw new DomainError('notFound', 'There is no such event.');
    const { stored, ...hashes } = found;
    const [proofs, objects] = await Promise.all([proofsOf(stored, this.pool), objectsOf(stored, this.pool)]);
    const recorded_at = stored.recordedAt.toISOString();
    return { event: toWireEvent(stored), recorded_at, ...hashes, ...proofs, ...objects };
  }
}

@QueryHandler(FindLedgerEvents)
export class FindLedgerEventsHandler extends LedgerRead<FindLedgerEvents> {
  async execute({ input: { id, ...page } }: FindLedgerEvents): Promise<LedgerEventsPage> {
    try {
      const { events, next, complete } = await findEvents(this, id, page);
      return { events: events.map(toWireEvent), next, complete };
    } catch (error) {
      if (error instanceof RangeError) throw new DomainError('invalid', 'p_after was not issued by this ledger.');
      throw error;
    }
  }
}

@QueryHandler(ExportLedgerEvents)
export class ExportLedgerEventsHandler implements IQueryHandler<ExportLedgerEvents> {
  constructor(private readonly exports: ExportPages) {}

  async execute({ input: { cursor, limit } }: ExportLedgerEvents): Promise<LedgerExportPage> {
    try {
      const { lines, nextCursor, missing } = await orDeleted(this.exports.page(cursor, limit));
      return {
        lines,
        next_cursor: nextCursor,
        missing_accounts: missing.map((stream) =>
          stream.startsWith(ACCOUNT_STREAM_PREFIX) ? userOfStream(stream) : stream,
        ),
      };
    } catch (error) {
      if (error instanceof CursorError) throw new DomainError('invalid', 'p_cursor was not issued by this ledger.');
      throw error;
    }
  }
}

function toWireEvent({ stream, version, type, id, data, metadata }: StoredEvent): LedgerEventsPage['events'][number] {
  return { stream, version, type, at: textIn(metadata.occurredAt), event_id: id, data, metadata };
}

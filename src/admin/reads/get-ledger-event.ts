import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Pool } from 'pg';
import { coveringSeals } from '../../audit/index.js';
import { type LedgerEventDetail } from '../../contract/admin-users.js';
import { accountError, accountStream } from '../../credits/index.js';
import { PG_POOL } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { EventStore } from '../../platform/event-store/event-store.js';

/**
 * An event of a user's account with its neighbour and seal.
 * @throws DomainError notFound; gone when the stream was deleted
 */
export class GetLedgerEvent extends Query<LedgerEventDetail> {
  constructor(readonly input: { readonly userId: string; readonly version: number }) {
    super();
  }
}

@QueryHandler(GetLedgerEvent)
export class GetLedgerEventHandler implements IQueryHandler<GetLedgerEvent> {
  constructor(
    @Inject(PG_POOL) private readonly pool: Pool,
    private readonly eventStore: EventStore,
  ) {}

  async execute({ input: { userId, version } }: GetLedgerEvent): Promise<LedgerEventDetail> {
    const stream = accountStream(userId);
    const events = await this.eventStore
      .readStream(stream, { fromVersion: Math.max(0, version - 1), limit: 2 })
      .catch((error: unknown) => {
        throw accountError(error);
      });
    const event = events.find((found) => found.version === version);
    if (!event) throw new DomainError('notFound', 'There is no such event.');
    const { metadata } = event;
    const before = events.find((found) => found.version === version - 1);
    const [seal] = await coveringSeals(this.pool, [event.recordedAt]);
    const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
    return {
      event_id: event.id,
      stream,
      version,
      type: event.type,
      occurred_at: text(metadata.occurredAt) ?? event.recordedAt.toISOString(),
      recorded_at: event.recordedAt.toISOString(),
      actor_id: text(metadata.actorId),
      causation_id: text(metadata.causationId),
      data: event.data,
      hash: text(metadata.hash) ?? '',
      previous_hash: text(before?.metadata.hash),
      seal: seal?.number ?? null,
    };
  }
}

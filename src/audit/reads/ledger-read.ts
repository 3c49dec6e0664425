import { Inject, Injectable } from '@nestjs/common';
import { type Query } from '@nestjs/cqrs';
import { type Pool } from 'pg';
import { Clock } from '../../platform/clock.js';
import { PG_POOL } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { EventStore, StreamDeletedError } from '../../platform/event-store/event-store.js';

/** A handler of a query that reads the streams and tables of the ledger. */
@Injectable()
export abstract class LedgerRead<Asked extends Query<unknown>> {
  constructor(
    @Inject(PG_POOL) readonly pool: Pool,
    readonly eventStore: EventStore,
    protected readonly clock: Clock,
  ) {}

  abstract execute(query: Asked): Promise<Asked extends Query<infer Result> ? Result : never>;
}

/** Waits for a read. @throws DomainError gone when the stream was deleted in the event store */
export async function orDeleted<T>(reading: Promise<T>): Promise<T> {
  return reading.catch((cause: unknown) => {
    if (!(cause instanceof StreamDeletedError)) throw cause;
    throw new DomainError('gone', 'The events of this account were deleted in the event store.', { cause });
  });
}

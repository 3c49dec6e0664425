import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Pool } from 'pg';
import { LogHasAllBefore } from '../../finance/index.js';
import { PG_POOL } from '../../platform/database/database.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { RECORDED_WITHIN_MS } from '../verify/event-times.js';
import { eventAt } from '../verify/read-account.js';
import { STREAM_KINDS } from '../verify/stream-kinds.js';
import { lastLeaf } from './log-store.js';

/**
 * Answers finance, which closes months and is below the audit. The sequencer leaves no gap, and an event is recorded
 * within ten minutes. So the log has every event of before when its newest leaf was recorded ten minutes later, or when
 * no event of the ledger is without a leaf.
 */
@QueryHandler(LogHasAllBefore)
export class LogHasAllBeforeHandler implements IQueryHandler<LogHasAllBefore> {
  constructor(
    @Inject(PG_POOL) private readonly pool: Pool,
    private readonly eventStore: EventStore,
  ) {}

  async execute({ end }: LogHasAllBefore): Promise<boolean> {
    const leaf = await lastLeaf(this.pool);
    if (!leaf) return false;
    const event = await eventAt(this.eventStore, leaf.stream, leaf.version);
    if (event?.id !== leaf.eventId) return false;
    if (event.recordedAt.getTime() >= end.getTime() + RECORDED_WITHIN_MS) return true;
    const last = await Promise.all(STREAM_KINDS.map(({ prefix }) => this.eventStore.lastPosition(prefix)));
    return last.every(
      (position) => position === null || this.eventStore.comparePositions(position, event.position) <= 0,
    );
  }
}

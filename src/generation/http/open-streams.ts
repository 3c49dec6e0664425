import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { type GenerationTables } from '../tables.js';

const MAX_STREAMS_PER_USER = 10;

const RENEW_MS = 5_000;
/** The count of a process is valid for this time, so that streams of a killed one end (seconds). */
const VALID_S = 15;

/**
 * Counts the live streams of each person in all processes of the installation. Each process reports how many it has,
 * in a table, when a person opens one and every five seconds. Without open streams it makes no statement.
 */
@Injectable()
export class OpenStreams implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(OpenStreams.name);
  private readonly process = randomUUID();
  private readonly own = new Map<string, number>();
  /** Whether the table has rows of this process. */
  private reported = false;
  private renewing: NodeJS.Timeout | undefined;

  constructor(@Inject(DATABASE) private readonly db: Kysely<GenerationTables>) {}

  onApplicationBootstrap(): void {
    this.renewing = setInterval(() => void this.renew(), RENEW_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.renewing);
    this.own.clear();
    await this.renew();
  }

  /** Counts a stream of this person. @returns false, without counting it, when the person has too many */
  async enter(userId: string): Promise<boolean> {
    // Requests at the same time count each other: there is no await before the count.
    const own = (this.own.get(userId) ?? 0) + 1;
    if (own > MAX_STREAMS_PER_USER) return false;
    this.own.set(userId, own);
    try {
      if (own + (await this.report(userId, own)) <= MAX_STREAMS_PER_USER) return true;
    } catch (error) {
      this.leave(userId);
      throw error;
    }
    this.leave(userId);
    return false;
  }

  /** A stream that was counted has ended. Other processes learn it within five seconds. */
  leave(userId: string): void {
    const openStreams = (this.own.get(userId) ?? 0) - 1;
    if (openStreams > 0) this.own.set(userId, openStreams);
    else this.own.delete(userId);
  }

  /** Reports all counts of this process again. Never rejects: a count that is missing allows a stream too many. */
  async renew(): Promise<void> {
    if (!this.reported && this.own.size === 0) return;
    const users = [...this.own.keys()];
    try {
      await sql`
        with ended as (
          delete from generation_open_stream where process = ${this.process} and user_id <> all (${users}::text[])
        ), expired as (
          delete from generation_open_stream
          where process <> ${this.process} and renewed_at < statement_timestamp() - make_interval(secs => ${VALID_S})
        )
        insert into generation_open_stream (process, user_id, streams)
        select ${this.process}, user_id, streams
        from unnest(${users}::text[], ${[...this.own.values()]}::int[]) as own (user_id, streams)
        on conflict (process, user_id) do update set streams = excluded.streams, renewed_at = clock_timestamp()
      `.execute(this.db);
      this.reported = users.length > 0;
    } catch (error) {
      this.logger.warn({ message: 'The open streams of this process could not be reported to the others.', error });
    }
  }

  /**
   * Reports the count of this person. Reports of requests at the same time can be stored in another order: the highest
   * count stays until the next renewal.
   * @returns the streams that the person has in other processes
   */
  private async report(userId: string, streams: number): Promise<number> {
    this.reported = true;
    const { rows } = await sql<{ streams: number }>`
      with reported as (
        insert into generation_open_stream as own (process, user_id, streams)
        values (${this.process}, ${userId}, ${streams})
        on conflict (process, user_id)
        do update set streams = greatest(own.streams, excluded.streams), renewed_at = clock_timestamp()
      )
      select coalesce(sum(streams), 0)::int as streams from generation_open_stream
      where user_id = ${userId} and process <> ${this.process}
        and renewed_at > statement_timestamp() - make_interval(secs => ${VALID_S})`.execute(this.db);
    return rows[0]?.streams ?? 0;
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { GetCreators } from '../../creators/index.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { IdGenerator } from '../../platform/ids.js';
import { type GenerationTables } from '../tables.js';
import { type GenerationReport, type ReportReason } from '../../contract/generation.js';

/** What users have reported of images, for admins. */
@Injectable()
export class GenerationReports {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  /** Keeps a report. False when this user has reported this image before; that report stands. */
  async record(report: {
    readonly generationId: string;
    readonly creatorId: string;
    readonly userId: string;
    readonly reason: ReportReason;
    readonly note: string;
    readonly prompt: string;
  }): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.db
      .insertInto('generation_report')
      .values({
        id: this.ids.next(),
        generation_id: report.generationId,
        creator_id: report.creatorId,
        user_id: report.userId,
        reason: report.reason,
        note: report.note,
        prompt: report.prompt,
        created_at: this.clock.now(),
      })
      .onConflict((conflict) => conflict.columns(['generation_id', 'user_id']).doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  /** Those that wait for an answer, newest first, or those that have one, last answered first. */
  async page(resolved: boolean, limit: number, offset: number): Promise<GenerationReport[]> {
    const rows = await this.db
      .selectFrom('generation_report as report')
      .leftJoin('generation', 'generation.id', 'report.generation_id')
      .selectAll('report')
      .select(['generation.user_id as owner_id', 'generation.image', 'generation.hidden_at', 'generation.deleted_at'])
      .where('report.resolved_at', resolved ? 'is not' : 'is', null)
      .orderBy(resolved ? 'report.resolved_at' : 'report.created_at', 'desc')
      .orderBy('report.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    const creators = await this.queries.execute(new GetCreators({ creatorIds: rows.map((row) => row.creator_id) }));
    return rows.map((row) => ({
      id: row.id,
      generation_id: row.generation_id,
      reason: row.reason,
      note: row.note,
      user_id: row.user_id,
      created_at: row.created_at.toISOString(),
      prompt: row.prompt,
      image: row.deleted_at === null ? row.image : null,
      owner_id: row.owner_id,
      creator_id: row.creator_id,
      creator_username: creators.get(row.creator_id)?.username ?? 'unknown',
      creator_name: creators.get(row.creator_id)?.name ?? 'Unknown Creator',
      hidden: row.hidden_at !== null,
      deleted: row.deleted_at !== null,
      resolved_at: row.resolved_at?.toISOString() ?? null,
      resolved_by: row.resolved_by,
      resolution: row.resolution,
    }));
  }
}

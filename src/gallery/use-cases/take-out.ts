import { Inject, Injectable } from '@nestjs/common';
import { sql, type Kysely } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { type GalleryTables } from '../tables.js';

/** Takes single pictures out of the curated galleries. */
@Injectable()
export class GalleryTakeOut {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GalleryTables>,
    private readonly clock: Clock,
  ) {}

  /** Counts the version up, so that a save that began before is refused. Nothing happens when it is not in the gallery. */
  async takeOut(creatorId: string, generationId: string, actorId: string): Promise<void> {
    await sql`
      with gone as (
        delete from gallery_item where creator_id = ${creatorId}::uuid and generation_id = ${generationId}::uuid
        returning creator_id
      )
      update gallery set version = version + 1, updated_at = ${this.clock.now()}, updated_by = ${actorId}
      where creator_id in (select creator_id from gone)`.execute(this.db);
  }
}

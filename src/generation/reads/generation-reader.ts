import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { GetCreators } from '../../creators/index.js';
import { DATABASE } from '../../platform/database/database.js';
import { Authenticator, type Principal } from '../../platform/http/principal.js';
import { type GenerationRow, type GenerationTables } from '../tables.js';
import { isFinal, mayView, toView, type Viewer } from './view.js';
import { type GenerationStatusRow, type GenerationView, type PaginatedGeneration } from '../../contract/generation.js';

/** One state of a generation, for a stream of them. */
export interface GenerationSnapshot {
  readonly view: GenerationView;
  readonly revision: number;
  /** Nothing that the viewer can see will change any more. */
  readonly final: boolean;
}

/** Reads generations as their viewers may see them. */
@Injectable()
export class GenerationReader {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly queries: QueryBus,
    private readonly authenticator: Authenticator,
  ) {}

  /** Undefined when there is none, or it is not for this viewer. */
  async snapshot(id: string, principal: Principal | null): Promise<GenerationSnapshot | undefined> {
    const row = await this.db.selectFrom('generation').selectAll().where('id', '=', id).executeTakeFirst();
    return row && this.snapshotFor(row, principal);
  }

  /** The same by prediction id, for its owner and admins only. */
  async snapshotByPrediction(predictionId: string, principal: Principal): Promise<GenerationSnapshot | undefined> {
    const row = await this.db
      .selectFrom('generation')
      .selectAll()
      .where('prediction_id', '=', predictionId)
      .executeTakeFirst();
    if (!row) return undefined;
    const isOwner = row.user_id === principal.userId;
    return isOwner || (await this.viewerFor(row, principal)).isAdmin ? this.snapshotFor(row, principal) : undefined;
  }

  async isPredictionKnown(predictionId: string): Promise<boolean> {
    const row = await this.db
      .selectFrom('generation')
      .select('id')
      .where('prediction_id', '=', predictionId)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** What anybody may know of it who has its prediction id; more is for its owner. Empty when there is none. */
  async statusByPrediction(predictionId: string, principal: Principal | null): Promise<GenerationStatusRow[]> {
    const row = await this.db
      .selectFrom('generation')
      .select(['status', 'image', 'user_id', 'hidden_at', 'deleted_at'])
      .where('prediction_id', '=', predictionId)
      .executeTakeFirst();
    const isOwner = row?.user_id === principal?.userId;
    if (!row || row.deleted_at !== null || (row.hidden_at !== null && !isOwner)) return [];
    const imageUrl = isOwner ? (row.image?.url ?? null) : null;
    return [{ prediction_id: predictionId, status: row.status, image_url: imageUrl }];
  }

  /** Newest first. `total_count` is that of all pages. */
  async pageOfUser(userId: string, limit: number, offset: number): Promise<PaginatedGeneration[]> {
    const [rows, { total }] = await Promise.all([
      this.db
        .selectFrom('generation')
        .selectAll()
        .where('user_id', '=', userId)
        .where('deleted_at', 'is', null)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute(),
      this.db
        .selectFrom('generation')
        .select((select) => select.fn.countAll<number>().as('total'))
        .where('user_id', '=', userId)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow(),
    ]);
    const creators = await this.queries.execute(new GetCreators({ creatorIds: rows.map((row) => row.creator_id) }));
    const viewer: Viewer = { userId, isAdmin: false };
    return rows.map((row) => ({
      generation: toView(row, creators.get(row.creator_id), viewer),
      total_count: total,
    }));
  }

  /** Id of the user's pending generation; there is one at most. */
  async pendingOf(userId: string): Promise<string | undefined> {
    const row = await this.db
      .selectFrom('generation')
      .select('id')
      .where('user_id', '=', userId)
      .where('status', '=', 'pending')
      .executeTakeFirst();
    return row?.id;
  }

  private async snapshotFor(row: GenerationRow, principal: Principal | null): Promise<GenerationSnapshot | undefined> {
    const viewer = await this.viewerFor(row, principal);
    if (!mayView(row, viewer)) return undefined;
    const creators = await this.queries.execute(new GetCreators({ creatorIds: [row.creator_id] }));
    return { view: toView(row, creators.get(row.creator_id), viewer), revision: row.revision, final: isFinal(row) };
  }

  /** Roles are asked for only where they decide something. */
  private async viewerFor(row: GenerationRow, principal: Principal | null): Promise<Viewer> {
    if (!principal) return { userId: null, isAdmin: false };
    const ask = row.user_id !== principal.userId;
    const isAdmin = ask && (await this.authenticator.rolesOf(principal.userId)).has('admin');
    return { userId: principal.userId, isAdmin };
  }
}

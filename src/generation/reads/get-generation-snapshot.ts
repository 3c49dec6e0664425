import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { type GenerationView } from '../../contract/generation.js';
import { GetCreators } from '../../creators/index.js';
import { DATABASE } from '../../platform/database/database.js';
import { QueryOf } from '../../platform/messages.js';
import { Authenticator } from '../../platform/principal.js';
import { ownerIsOpen } from '../closed-owners.js';
import { type GenerationTarget } from '../rows/generation-rows.js';
import { type GenerationRow, type GenerationTables } from '../tables.js';
import { mayView, type Viewer } from '../images/visibility.js';
import { toView } from './view.js';

/** One state of a generation as its viewer sees it. */
export interface GenerationSnapshot {
  readonly view: GenerationView;
  /** Grows with every change of the row. */
  readonly revision: number;
  /** True when the viewer will see no further change: completed, or failed with closed credits. */
  readonly final: boolean;
}

/**
 * A generation as this viewer may see it; null when it does not exist or the viewer may not see it. A lookup by
 * prediction id works for the owner and admins only.
 */
export class GetGenerationSnapshot extends QueryOf<
  {
    readonly target: GenerationTarget;
    /** Null for visitors. */
    readonly viewerId: string | null;
  },
  GenerationSnapshot | null
> {}

@QueryHandler(GetGenerationSnapshot)
export class GetGenerationSnapshotHandler implements IQueryHandler<GetGenerationSnapshot> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly queries: QueryBus,
    private readonly authenticator: Authenticator,
  ) {}

  async execute({ input: { target, viewerId } }: GetGenerationSnapshot): Promise<GenerationSnapshot | null> {
    const row = await this.find(target);
    if (!row) return null;
    const viewer = await this.viewerOf(row, viewerId);
    if ('predictionId' in target && row.user_id !== viewerId && !viewer.isAdmin) return null;
    if (!mayView(row, viewer)) return null;
    const creators = await this.queries.execute(new GetCreators({ creatorIds: [row.creator_id] }));
    const creator = creators.get(row.creator_id);
    // Images of a withdrawn creator answer their owners only.
    if (creator?.withdrawn && row.user_id !== viewerId && !viewer.isAdmin) return null;
    return { view: toView(row, creator, viewer), revision: row.revision, final: isFinal(row) };
  }

  private async find(target: GenerationTarget): Promise<GenerationRow | undefined> {
    const select = this.db.selectFrom('generation').selectAll().where(ownerIsOpen);
    return 'generationId' in target
      ? select.where('id', '=', target.generationId).executeTakeFirst()
      : select.where('prediction_id', '=', target.predictionId).executeTakeFirst();
  }

  /** Reads the roles only when the viewer is not the owner: owners see everything anyway. */
  private async viewerOf(row: GenerationRow, viewerId: string | null): Promise<Viewer> {
    if (viewerId === null || row.user_id === viewerId) return { userId: viewerId, isAdmin: false };
    return { userId: viewerId, isAdmin: (await this.authenticator.rolesOf(viewerId)).has('admin') };
  }
}

/** No further change is visible: the generation has ended, and a refund is known. */
function isFinal(row: Pick<GenerationRow, 'status' | 'credits_closed_at'>): boolean {
  return row.status === 'completed' || (row.status === 'failed' && row.credits_closed_at !== null);
}

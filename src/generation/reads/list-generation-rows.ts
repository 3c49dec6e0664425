import { QueryHandler } from '@nestjs/cqrs';
import { type GenerationTableRow } from '../../contract/generation.js';
import { GetCreators } from '../../creators/index.js';
import { isUuid } from '../../platform/ids.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type TablePage } from '../../platform/table-page.js';
import { wireFields } from '../../platform/wire-fields.js';
import { ownerIsOpen } from '../closed-owners.js';
import { type GenerationRow, type GenerationTables } from '../tables.js';
import { shownImage, type Viewer } from '../images/visibility.js';

/** A page of the `generations` table as a reader may see it, by `created_at`. */
export interface GenerationRowsInput extends TablePage {
  /** Lists hold the viewer's own rows; admins list all. A lookup by id also finds completed, visible rows. */
  readonly viewer: Viewer;
  readonly id?: string | undefined;
  readonly creatorId?: string | undefined;
  readonly predictionId?: string | undefined;
  readonly status?: string | undefined;
}

/** Rows of `GET /rest/v1/generations`, without tests. */
export class ListGenerationRows extends QueryOf<GenerationRowsInput, GenerationTableRow[]> {}

@QueryHandler(ListGenerationRows)
export class ListGenerationRowsHandler extends ReadHandler<GenerationTables, ListGenerationRows> {
  async execute({ input }: ListGenerationRows): Promise<GenerationTableRow[]> {
    const { viewer, id, creatorId, predictionId, status, direction, limit, offset } = input;
    if (id !== undefined && !isUuid(id)) return [];
    let select = this.db
      .selectFrom('generation')
      .selectAll()
      .where('deleted_at', 'is', null)
      .where('is_test', '=', false)
      .where(ownerIsOpen);
    if (!viewer.isAdmin) {
      const { userId } = viewer;
      if (id === undefined && userId === null) return [];
      select = select.where((row) =>
        row.or([
          ...(userId === null ? [] : [row('user_id', '=', userId)]),
          ...(id === undefined
            ? []
            : [
                row('status', '=', 'completed')
                  .and('hidden_at', 'is', null)
                  .and('taken_down_at', 'is', null)
                  .and('moderated_at', 'is', null),
              ]),
        ]),
      );
    }
    if (id !== undefined) select = select.where('id', '=', id);
    if (creatorId !== undefined) select = select.where('creator_id', '=', creatorId);
    if (predictionId !== undefined) select = select.where('prediction_id', '=', predictionId);
    if (status !== undefined) select = select.where('status', '=', status as GenerationRow['status']);
    const rows = await select
      .orderBy('created_at', direction)
      .orderBy('id', direction)
      .limit(limit)
      .offset(offset)
      .execute();
    return (await this.withoutWithdrawn(rows, viewer)).map((row) => toTableRow(row, viewer));
  }

  /** Images of a withdrawn creator answer their owners and admins only. */
  private async withoutWithdrawn(rows: readonly GenerationRow[], viewer: Viewer): Promise<readonly GenerationRow[]> {
    const foreign = rows.filter((row) => row.user_id !== viewer.userId);
    if (viewer.isAdmin || foreign.length === 0) return rows;
    const creators = await this.queries.execute(new GetCreators({ creatorIds: foreign.map((row) => row.creator_id) }));
    return rows.filter((row) => row.user_id === viewer.userId || !creators.get(row.creator_id)?.withdrawn);
  }
}

function toTableRow(row: GenerationRow, viewer: Viewer): GenerationTableRow {
  return {
    ...wireFields(row, ['id', 'prediction_id', 'status', 'prompt']),
    image_url: shownImage(row, viewer)?.url ?? null,
    ...wireFields(row, ['creator_id', 'created_at', 'updated_at', 'error_message']),
    ...wireFields(row, ['refunded', 'refund_reason', 'refunded_at']),
    credit_cost: row.cost,
    deployment_name: row.model,
  };
}

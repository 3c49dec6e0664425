import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { SYSTEM_ACTOR } from '../platform/acts/actor.js';
import { Acts, type NewAct } from '../platform/acts/acts.js';
import { newSalt, sealRow, type SealedTable } from '../platform/acts/sealed-rows.js';
import { type GalleryTables } from './tables.js';

/** A gallery with its images in their order, as the log of acts fixes it. */
export const SEALED_GALLERY = {
  table: 'gallery',
  id: 'creator_id',
  columns: ['creator_id', 'version', 'updated_at', 'updated_by', 'images'],
} as const satisfies SealedTable;

type SealedGallery = Record<(typeof SEALED_GALLERY.columns)[number], unknown>;

/** Fixes the order of galleries in the log of acts. */
@Injectable()
export class GalleryRecord {
  constructor(private readonly acts: Acts) {}

  /**
   * Records a change of a gallery in its transaction. Two statements: the order is read once the change has locked the
   * gallery, so that no other change comes between them.
   * @param act of an admin; by default the product takes note of a change by others
   */
  async write(
    transaction: Transaction<GalleryTables>,
    creatorId: string,
    act: Omit<NewAct, 'creatorId' | 'rows'> = {
      kind: 'gallery.changed',
      actor: SYSTEM_ACTOR,
      subject: { kind: 'gallery', id: creatorId },
    },
  ): Promise<void> {
    const salt = newSalt();
    const { rows } = await sql<SealedGallery>`
      update gallery set salt = ${salt} where creator_id = ${creatorId}::uuid
      returning creator_id, version, updated_at, updated_by, array(
        select generation_id::text from gallery_item where creator_id = gallery.creator_id order by place
      ) as images`.execute(transaction);
    const sealed = rows[0] ? sealRow(SEALED_GALLERY, rows[0], salt) : {};
    await this.acts.record(transaction, { ...act, creatorId, rows: sealed });
  }
}

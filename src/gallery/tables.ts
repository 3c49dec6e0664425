import { type Generated } from 'kysely';

export interface GalleryTables {
  /** One row a creator. The version detects that two admins saved at the same time. */
  gallery: { creator_id: string; version: Generated<number>; updated_at: Date; updated_by: string };
  gallery_item: { creator_id: string; generation_id: string; place: number };
}

import { type Generated } from 'kysely';

export interface GalleryTables {
  /**
   * One row a creator. The version detects that two admins saved at the same time. The salt is that of the hash in the
   * act of the last change.
   */
  gallery: {
    creator_id: string;
    version: Generated<number>;
    updated_at: Date;
    updated_by: string;
    salt: string | null;
  };
  /** Images that their creator or an admin keeps out of the gallery, until all instants are null. */
  gallery_set_aside: {
    creator_id: string;
    generation_id: string;
    /** Where it was in the gallery, and returns to. Null when it was not there, or its owner took it out. */
    place: number | null;
    /** When the creator hid it from the gallery. */
    hidden_at: Date | null;
    /** When the creator asked for its take-down. */
    taken_down_at: Date | null;
    /** When an admin hid it or took it down. */
    moderated_at: Date | null;
  };
  gallery_item: { creator_id: string; generation_id: string; place: number };
}

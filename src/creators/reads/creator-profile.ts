import { type Selectable } from 'kysely';
import { type ImageInfo } from '../../contract/media.js';
import { type CreatorStatus, type CreatorTables } from '../tables.js';

/** The public fields of a creator. E-mail and identity are not among them. */
export interface CreatorProfile {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly bio: string;
  readonly style: string | null;
  readonly instagram: string;
  readonly twitter: string | null;
  readonly onlyfans: string | null;
  readonly profile: ImageInfo | null;
  readonly status: CreatorStatus;
  readonly isVisible: boolean;
  readonly isFeatured: boolean;
  readonly hasModel: boolean;
  readonly createdAt: Date;
}

export function toCreatorProfile(row: Selectable<CreatorTables['creator']>): CreatorProfile {
  return {
    id: row.id,
    username: row.username,
    name: row.name,
    bio: row.bio,
    style: row.style,
    instagram: row.instagram,
    twitter: row.twitter,
    onlyfans: row.onlyfans,
    profile: row.profile,
    status: row.creator_status,
    isVisible: row.is_visible,
    isFeatured: row.is_featured,
    hasModel: row.deployment_name !== null || row.lora_id !== null,
    createdAt: row.created_at,
  };
}

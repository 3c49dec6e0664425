import { type Selectable } from 'kysely';
import { type ImageInfo } from '../../contract/media.js';
import { GENERATION_COST } from '../../contract/prices.js';
import { type CreatorStatus, type CreatorTables } from '../tables.js';

/** A creator as other contexts see it. Never contains the e-mail or the identity. */
export interface Creator {
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
  /** False for archived and withdrawn creators. */
  readonly isVisible: boolean;
  /** The creator has left. Only the owners of images in their style see those images. */
  readonly withdrawn: boolean;
  readonly isFeatured: boolean;
  /** The model: a deployment, or a version. Both are null while there is none. */
  readonly deploymentName: string | null;
  readonly loraId: string | null;
  /** Credits of one image in this creator's style. */
  readonly creditCost: number;
  readonly createdAt: Date;
}

/** A creator, and whether a given user is this creator. */
export interface CreatorForUser extends Creator {
  readonly isUser: boolean;
}

/** The creator as a user sees it. A creator without an identity is no user. */
export function toCreatorForUser(row: Selectable<CreatorTables['creator']>, userId: string): CreatorForUser {
  return { ...toCreator(row), isUser: row.clerk_id === userId };
}

export function toCreator(row: Selectable<CreatorTables['creator']>): Creator {
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
    withdrawn: row.withdrawn_at !== null,
    isFeatured: row.is_featured,
    deploymentName: row.deployment_name,
    loraId: row.lora_id,
    creditCost: GENERATION_COST,
    createdAt: row.created_at,
  };
}

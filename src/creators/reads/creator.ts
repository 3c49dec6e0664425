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
  /** The creator has left, and may come back. Only the owners of images in their style see those images. */
  readonly withdrawn: boolean;
  /** The account was closed: the creator cannot come back. */
  readonly closed: boolean;
  /** The creator accepts no new images for now. */
  readonly paused: boolean;
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
  /** Words and phrases that no prompt for this creator may contain. Never public. */
  readonly blockedTerms: readonly BlockedWord[];
}

/** A word or phrase that a creator does not allow in prompts. */
export interface BlockedWord {
  readonly id: string;
  readonly term: string;
}

/** The creator as a user sees it. A creator without an identity is no user. */
export function toCreatorForUser(
  row: Selectable<CreatorTables['creator']> & { readonly blocked_terms: readonly BlockedWord[] },
  userId: string,
): CreatorForUser {
  return { ...toCreator(row), isUser: row.clerk_id === userId, blockedTerms: row.blocked_terms };
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
    isVisible: row.is_visible && row.withdrawn_at === null,
    withdrawn: row.withdrawn_at !== null,
    closed: row.closed_at !== null,
    paused: row.paused_at !== null,
    isFeatured: row.is_featured,
    deploymentName: row.deployment_name,
    loraId: row.lora_id,
    creditCost: GENERATION_COST,
    createdAt: row.created_at,
  };
}

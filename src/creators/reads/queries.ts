import { Query } from '@nestjs/cqrs';
import { type ImageInfo } from '../../contract/media.js';

export type CreatorStatus = 'pending' | 'active' | 'rejected';

/** A creator as other contexts need one. */
export interface CreatorSummary {
  readonly id: string;
  readonly clerkId: string | null;
  readonly username: string;
  readonly name: string;
  readonly status: CreatorStatus;
  readonly isVisible: boolean;
  readonly deploymentName: string | null;
  readonly loraId: string | null;
}

/** What the public may know of a creator, without e-mail or identity. */
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

/** One creator by id, whatever its status; null when there is none. */
export class GetCreator extends Query<CreatorSummary | null> {
  constructor(readonly creatorId: string) {
    super();
  }
}

/** The creator to whom a model belongs, by deployment name or version; null when it is nobody's. */
export class GetCreatorByModel extends Query<CreatorSummary | null> {
  constructor(readonly model: string) {
    super();
  }
}

/** Creators by id, for lists that attach the creator to something; unknown ids are left out. */
export class GetCreators extends Query<ReadonlyMap<string, CreatorSummary>> {
  constructor(readonly creatorIds: readonly string[]) {
    super();
  }
}

/** All public creators (approved and visible), the oldest first. */
export class GetPublicCreators extends Query<readonly CreatorProfile[]> {}

/** An approved creator by username, archived ones too (their page says so); null when there is none. */
export class GetCreatorProfile extends Query<CreatorProfile | null> {
  constructor(readonly username: string) {
    super();
  }
}

import { Query } from '@nestjs/cqrs';

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

/** One creator by id, whatever its status; null when there is none. */
export class GetCreator extends Query<CreatorSummary | null> {
  constructor(readonly creatorId: string) {
    super();
  }
}

/** Creators by id, for lists that attach the creator to something; unknown ids are left out. */
export class GetCreators extends Query<ReadonlyMap<string, CreatorSummary>> {
  constructor(readonly creatorIds: readonly string[]) {
    super();
  }
}

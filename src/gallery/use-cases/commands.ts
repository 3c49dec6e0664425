import { Command } from '@nestjs/cqrs';

/**
 * Replaces a creator's curated list in one step.
 * @throws GalleryConflictError when somebody saved since `expectedVersion` was read
 */
export class SaveGallery extends Command<{ readonly version: number }> {
  constructor(
    readonly creatorId: string,
    /** Completed generations of this creator, in the order to show them. */
    readonly generationIds: readonly string[],
    /** 0 when there is no list yet. */
    readonly expectedVersion: number,
    readonly actorId: string,
  ) {
    super();
  }
}

/** Another save came first; nothing was changed. */
export class GalleryConflictError extends Error {
  constructor(creatorId: string) {
    super(`The gallery of creator ${creatorId} was saved by somebody else.`);
    this.name = 'GalleryConflictError';
  }
}

import { Query } from '@nestjs/cqrs';
import { type ImageInfo } from '../../contract/media.js';

/** A generation as upper contexts (the gallery, the demo seed) need one. */
export interface GenerationSummary {
  readonly id: string;
  readonly userId: string;
  readonly creatorId: string;
  readonly status: 'pending' | 'completed' | 'failed';
  readonly prompt: string;
  /** Set when completed. */
  readonly image: ImageInfo | null;
  /** Set when failed. */
  readonly errorMessage: string | null;
  readonly createdAt: Date;
  /** Its owner shows it to nobody else. */
  readonly hidden: boolean;
}

/** Generations by id, in no particular order; unknown and deleted ones are left out. */
export class GetGenerations extends Query<readonly GenerationSummary[]> {
  constructor(readonly generationIds: readonly string[]) {
    super();
  }
}

/** One generation by id, whoever's it is; null when there is none, or it was deleted. */
export class GetGeneration extends Query<GenerationSummary | null> {
  constructor(readonly generationId: string) {
    super();
  }
}

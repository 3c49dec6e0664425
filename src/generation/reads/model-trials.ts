import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { type Application, type ModelTrial } from '../../contract/applications.js';
import { DomainError } from '../../platform/domain-error.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { MESSAGES } from '../messages.js';
import { toTrial, TRIAL_COLUMNS, trialOwner } from '../trials/model-trials.js';
import { type GenerationTables } from '../tables.js';

/** The newest trial pictures of a creator that admins see. */
const MOST_TRIALS = 20;

/** Images are counted up to this number. */
const MOST_IMAGES = 10_000;

/**
 * One trial picture, for admins.
 * @throws DomainError notFound for an unknown one, and once its creator has withdrawn
 */
export class GetModelTrial extends QueryOf<{ readonly trialId: string }, ModelTrial> {}

@QueryHandler(GetModelTrial)
export class GetModelTrialHandler extends ReadHandler<GenerationTables, GetModelTrial> {
  async execute({ input: { trialId } }: GetModelTrial): Promise<ModelTrial> {
    const row = await this.db
      .selectFrom('generation')
      .select(TRIAL_COLUMNS)
      .where('id', '=', trialId)
      .where(sql<boolean>`user_id = ${trialOwner('')} || creator_id`)
      .where('is_test', '=', true)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (!row) throw new DomainError('notFound', MESSAGES.trialNotFound);
    return toTrial(row);
  }
}

/** The newest trial pictures for a creator, the latest first, and how many images the person has drawn as a fan. */
export class GetApplicantPictures extends QueryOf<
  {
    readonly creatorId: string;
    /** Null for a creator without an account. */
    readonly userId: string | null;
  },
  Pick<Application, 'trials' | 'images_drawn'>
> {}

@QueryHandler(GetApplicantPictures)
export class GetApplicantPicturesHandler extends ReadHandler<GenerationTables, GetApplicantPictures> {
  async execute({
    input: { creatorId, userId },
  }: GetApplicantPictures): Promise<Pick<Application, 'trials' | 'images_drawn'>> {
    const { trials, drawn } = await this.db
      .selectNoFrom((select) => [
        jsonArrayFrom(
          select
            .selectFrom('generation')
            .select(TRIAL_COLUMNS)
            .where('user_id', '=', trialOwner(creatorId))
            .where('is_test', '=', true)
            .where('deleted_at', 'is', null)
            .orderBy('created_at', 'desc')
            .orderBy('id', 'desc')
            .limit(MOST_TRIALS),
        ).as('trials'),
        sql<number>`(select count(*)::int from (
          select from generation
          where user_id = ${userId} and status = 'completed' and not is_test and deleted_at is null limit ${MOST_IMAGES}
        ) images)`.as('drawn'),
      ])
      .executeTakeFirstOrThrow();
    return {
      trials: trials.map((row) => toTrial({ ...row, created_at: new Date(row.created_at) })),
      images_drawn: drawn,
    };
  }
}

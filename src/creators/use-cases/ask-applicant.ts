import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type ApplicantQuestion } from '../../contract/applications.js';
import { type Actor } from '../../platform/acts/actor.js';
import { Acts } from '../../platform/acts/acts.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { IdGenerator } from '../../platform/ids.js';
import { CreatorReview } from '../creator-review.js';
import { refuseOwnApplication } from '../own-application.js';
import { plainText } from '../plain-text.js';
import { type CreatorTables } from '../tables.js';

/**
 * Asks an applicant for more. The application stays open, and the applicant answers in the portal.
 * @throws DomainError invalid without a question; notFound; forbidden for the admin's own application; conflict without
 * an open application, and while another question is open
 */
export class AskApplicant extends Command<ApplicantQuestion> {
  constructor(readonly input: { readonly creatorId: string; readonly actor: Actor; readonly question: string }) {
    super();
  }
}

@CommandHandler(AskApplicant)
export class AskApplicantHandler implements ICommandHandler<AskApplicant> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables>,
    private readonly review: CreatorReview,
    private readonly acts: Acts,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  async execute({ input: { creatorId, actor, question: typed } }: AskApplicant): Promise<ApplicantQuestion> {
    const question = plainText(typed);
    if (question === '') throw new DomainError('invalid', 'Write a question, which the applicant reads.');
    const id = this.ids.next();
    const askedAt = this.clock.now();
    const asked = await this.db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ name: string }>`
        with applicant as (
          select id, name, (select a.id from creator_application a where a.creator_id = creator.id
            order by a.applied_at desc limit 1) as application_id
          from creator
          where id = ${creatorId}::uuid and application_state = 'pending' and clerk_id is distinct from ${actor.userId}
          for update
        ),
        asked as (
          insert into creator_question (id, creator_id, application_id, question, asked_by, asked_at)
          select ${id}::uuid, id, application_id, ${question}, ${actor.userId}, ${askedAt}::timestamptz
          from applicant where application_id is not null
          on conflict (application_id) where answered_at is null do nothing
          returning id
        )
        select name from applicant where exists (select from asked)`.execute(transaction);
      const [applicant] = rows;
      if (!applicant) return false;
      await this.acts.record(transaction, {
        kind: 'application.asked',
        actor,
        subject: { kind: 'creator', id: creatorId, name: applicant.name },
        creatorId,
        after: { question: id },
        reason: question,
      });
      return true;
    });
    if (asked) return { id, question, asked_at: askedAt.toISOString(), answer: null, answered_at: null };
    const creator = await this.review.record(creatorId);
    refuseOwnApplication(creator, actor.userId);
    const message =
      creator.creator_status === 'pending' && creator.withdrawn_at === null
        ? 'The applicant has not answered the last question yet.'
        : 'This creator has no open application.';
    throw new DomainError('conflict', message, { code: '55000' });
  }
}

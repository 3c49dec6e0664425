import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { ACCEPTANCE_METHOD, ACCEPTANCE_STATEMENT } from '../../contract/creator-terms.js';
import { type ImageInfo } from '../../contract/media.js';
import { Acts } from '../../platform/acts/acts.js';
import { Clock } from '../../platform/clock.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { DATABASE } from '../../platform/database/database.js';
import { IdGenerator } from '../../platform/ids.js';
import { CommandOf } from '../../platform/messages.js';
import { approvedHandle } from '../handles.js';
import { columnsOf, consentRow, logConsent, valuesOf } from '../consent.js';
import { type CreatorTables } from '../tables.js';
import { usernameCandidates } from '../usernames.js';

export interface AddedCreator {
  readonly creatorId: string;
  readonly username: string;
}

/**
 * Adds a creator who is approved and has accepted the terms. The demo creators are added with it.
 * Repeating it for a known `clerkId` changes nothing.
 */
export class AddApprovedCreator extends CommandOf<
  {
    readonly clerkId: string;
    readonly name: string;
    readonly email: string;
    /** With the leading @. */
    readonly instagram: string;
    readonly twitter: string | null;
    readonly onlyfans: string | null;
    readonly bio: string;
    readonly style: string | null;
    readonly profile: ImageInfo | null;
    readonly deploymentName: string;
  },
  AddedCreator
> {}

@CommandHandler(AddApprovedCreator)
export class AddApprovedCreatorHandler implements ICommandHandler<AddApprovedCreator> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables>,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
    private readonly acts: Acts,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  async execute({ input: creator }: AddApprovedCreator): Promise<AddedCreator> {
    for (const username of usernameCandidates(creator.instagram)) {
      const now = this.clock.now();
      const consent = consentRow({
        id: this.ids.next(),
        userId: creator.clerkId,
        kind: 'accepted',
        at: now,
        context: 'demo',
        acceptance: {
          termsUrl: new URL('/creator-terms', this.config.publicUrl).href,
          method: ACCEPTANCE_METHOD,
          statement: ACCEPTANCE_STATEMENT,
          userAgent: '',
          email: creator.email,
        },
      });
      const inserted = await this.db.transaction().execute(async (transaction) => {
        const added = await transaction
          .with('creator_added', (db) =>
            db
              .insertInto('creator')
              .values({
                id: this.ids.next(),
                clerk_id: creator.clerkId,
                username,
                name: creator.name,
                email: creator.email,
                instagram: creator.instagram,
                twitter: creator.twitter,
                onlyfans: creator.onlyfans,
                bio: creator.bio,
                style: creator.style,
                profile: creator.profile && JSON.stringify(creator.profile),
                creator_status: 'active',
                deployment_name: creator.deploymentName,
                lora_id: null,
                state_since: now,
                created_at: now,
                updated_at: now,
              })
              .onConflict((conflict) => conflict.doNothing())
              .returning(['id', 'username', 'clerk_id']),
          )
          .with('terms_accepted', (db) =>
            db
              .insertInto('creator_consent')
              .columns(columnsOf(consent))
              .expression((select) => select.selectFrom('creator_added').select((row) => valuesOf(consent, row))),
          )
          .selectFrom('creator_added')
          .select(['id', 'username'])
          .executeTakeFirst();
        if (added) await logConsent(this.acts, transaction, consent);
        return added;
      });
      if (inserted) return { creatorId: inserted.id, username: inserted.username };

      const known = await this.db
        .selectFrom('creator')
        .select(['id', 'username', 'clerk_id'])
        .where((where) =>
          where.or([
            where('clerk_id', '=', creator.clerkId),
            where('deployment_name', '=', creator.deploymentName),
            approvedHandle(creator.instagram),
          ]),
        )
        .executeTakeFirst();
      if (known?.clerk_id === creator.clerkId) return { creatorId: known.id, username: known.username };
      if (known) throw new Error(`The handle or the model of ${creator.name} belongs to another creator.`);
      // Identity, model and handle are free, so the username is taken: try the next number.
    }
    throw new Error(`No free username for ${creator.instagram}.`);
  }
}

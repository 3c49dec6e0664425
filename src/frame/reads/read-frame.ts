import { Inject, Logger } from '@nestjs/common';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import { type FrameRequest } from '../../contract/calls/frame.js';
import { ROLES } from '../../contract/roles.js';
import { GetAdminCounts } from '../../admin/index.js';
import { type Frame } from '../../contract/frame.js';
import { type CreatorTables } from '../../creators/tables.js';
import { GetCreditBreakdown } from '../../credits/index.js';
import { CountOpenDifferences } from '../../finance/index.js';
import { type GenerationTables } from '../../generation/tables.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { Authenticator } from '../../platform/principal.js';

/** All that the frame of a page shows of a user. Opens the account on a first visit of the site. */
export class ReadFrame extends Query<Frame> {
  constructor(readonly input: { readonly userId: string; readonly area: FrameRequest['p_area'] | 'site' }) {
    super();
  }
}

@QueryHandler(ReadFrame)
export class ReadFrameHandler implements IQueryHandler<ReadFrame> {
  private readonly logger = new Logger(ReadFrameHandler.name);

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables & GenerationTables>,
    private readonly authenticator: Authenticator,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { userId, area } }: ReadFrame): Promise<Frame> {
    const parts = await Promise.all([
      this.part(() => this.rolesAndCounts(userId, area)),
      this.part(() => this.factsOf(userId)),
      this.part(async () =>
        area === 'site' ? { credits: await this.queries.execute(new GetCreditBreakdown({ userId })) } : {},
      ),
    ]);
    return parts.reduce((frame, part) => ({ ...frame, ...part }), {});
  }

  /** A part that fails leaves the others as they are: the browser asks for it with its own call. */
  private async part(read: () => Promise<Frame>): Promise<Frame> {
    try {
      return await read();
    } catch (error) {
      this.logger.warn({ message: 'A part of the frame could not be read.', error });
      return {};
    }
  }

  private async rolesAndCounts(userId: string, area: ReadFrame['input']['area']): Promise<Frame> {
    const ownRoles = await this.authenticator.rolesOf(userId);
    const roles = ROLES.filter((role) => ownRoles.has(role));
    const counts = await this.part(async () => {
      if (area === 'admin' && ownRoles.has('admin')) {
        return { admin_counts: await this.queries.execute(new GetAdminCounts()) };
      }
      if (area === 'finance' && (ownRoles.has('finance') || ownRoles.has('admin'))) {
        return { open_differences: { open: await this.queries.execute(new CountOpenDifferences()) } };
      }
      return {};
    });
    return { roles, ...counts };
  }

  /** Facts of several contexts, in one statement. */
  private async factsOf(userId: string): Promise<Frame> {
    const { suspension, ...facts } = await this.db
      .selectNoFrom((select) => {
        const running = select
          .selectFrom('generation')
          .where('user_id', '=', userId)
          .where('status', '=', 'pending')
          .where('is_test', '=', false);
        const inForce = select
          .selectFrom('generation_suspension')
          .select(['until', 'since', 'reason'])
          .where('user_id', '=', userId)
          .where((row) => row.or([row('until', 'is', null), row('until', '>', this.clock.now())]));
        return [
          select.exists(select.selectFrom('creator').where('clerk_id', '=', userId)).as('is_creator'),
          select.exists(running).as('has_active_generation'),
          jsonObjectFrom(inForce).as('suspension'),
        ];
      })
      .executeTakeFirstOrThrow();
    return {
      is_creator: Boolean(facts.is_creator),
      has_active_generation: Boolean(facts.has_active_generation),
      suspension: suspension && {
        until: suspension.until === null ? null : toInstant(suspension.until),
        since: toInstant(suspension.since),
        reason: suspension.reason,
      },
    };
  }
}

/** Postgres writes times of day with an offset in JSON. */
const toInstant = (time: string | Date): string => new Date(time).toISOString();

import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DECISION_NOTE_MAX_LENGTH, type Suspension } from '../../../contract/moderation.js';
import { LiftSuspension, sanitiseText, SuspendUser } from '../../../generation/index.js';
import { type GenerationTables } from '../../../generation/tables.js';
import { GetUser } from '../../../identity/index.js';
import { SuspendBuyer } from '../../../payments/index.js';
import { type PaymentTables } from '../../../payments/tables.js';
import { type Actor } from '../../../platform/acts/actor.js';
import { Acts } from '../../../platform/acts/acts.js';
import { DATABASE } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/domain-error.js';
import { CommandOf } from '../../../platform/messages.js';
import { type CaseTables } from '../moderation-tables.js';
import { sameTransaction } from './decide-moderation-case.js';

/**
 * Suspends a user, or lifts the suspension.
 * @returns the suspension that is in force; null after it was lifted
 * @throws DomainError notFound for an unknown user, forbidden for oneself, unprocessable without a reason, conflict
 *   when
 *   there is no suspension to lift
 */
export class ChangeSuspension extends CommandOf<
  {
    readonly actor: Actor;
    readonly userId: string;
    readonly reason: string;
    /** Days; null: until an admin lifts it; `lift` ends it. */
    readonly days: number | null | 'lift';
  },
  Suspension | null
> {}

@CommandHandler(ChangeSuspension)
export class ChangeSuspensionHandler implements ICommandHandler<ChangeSuspension> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CaseTables>,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly acts: Acts,
  ) {}

  async execute({ input }: ChangeSuspension): Promise<Suspension | null> {
    const { actor, userId, days } = input;
    const reason = sanitiseText(input.reason, DECISION_NOTE_MAX_LENGTH);
    if (reason === '') throw new DomainError('unprocessable', 'Enter a reason.', { code: '22023' });
    if (userId === actor.userId) {
      throw new DomainError('forbidden', 'You cannot suspend yourself or lift your own suspension.', { code: '42501' });
    }
    const user = await this.queries.execute(new GetUser({ userId }));
    if (!user) throw new DomainError('notFound', 'There is no such user.');
    const subject = { kind: 'user', id: userId, name: user.name ?? user.email } as const;
    return this.db.transaction().execute(async (transaction) => {
      const inGeneration = { transaction: sameTransaction<GenerationTables>(transaction), userId };
      const inPayments = { transaction: sameTransaction<PaymentTables>(transaction), userId };
      if (days === 'lift') {
        if (!(await this.commands.execute(new LiftSuspension(inGeneration)))) {
          throw new DomainError('conflict', 'This user is not suspended.', { code: '55000' });
        }
        await this.commands.execute(new SuspendBuyer({ ...inPayments, suspension: null }));
        await this.acts.record(transaction, { kind: 'user.unsuspended', actor, subject, userId, reason });
        return null;
      }
      const row = await this.commands.execute(new SuspendUser({ ...inGeneration, days, reason }));
      await this.commands.execute(new SuspendBuyer({ ...inPayments, suspension: { until: row.until } }));
      const until = row.until?.toISOString() ?? null;
      await this.acts.record(transaction, { kind: 'user.suspended', actor, subject, userId, after: { until }, reason });
      return { until, since: row.since.toISOString(), reason: row.reason };
    });
  }
}

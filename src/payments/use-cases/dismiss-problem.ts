import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Actor } from '../../platform/acts/actor.js';
import { Acts } from '../../platform/acts/acts.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { CommandOf } from '../../platform/messages.js';
import { MESSAGES } from '../messages.js';
import { ATTEMPTS_BEFORE_ALERT } from '../reads/list-payment-problems.js';
import { type PaymentProblemKind, type PaymentTables } from '../tables.js';

/**
 * Ends a payment problem that needs nothing, with the reason of an admin. A problem stays dismissed while later reads
 * find the same. An event that keeps failing is given up; the reconciliation settles its payment if it is ours. Moves
 * no money and no credits.
 * @throws DomainError invalid without a reason; conflict for a refund, whose credits are already taken; notFound when
 *   no such problem is open
 */
export class DismissProblem extends CommandOf<
  {
    /** As `get_payment_problems` names it. */
    readonly subject: string;
    readonly kind: string;
    readonly reason: string;
    readonly admin: Actor;
  },
  void
> {}

@CommandHandler(DismissProblem)
export class DismissProblemHandler implements ICommandHandler<DismissProblem> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<PaymentTables>,
    private readonly acts: Acts,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { subject, kind, reason, admin } }: DismissProblem): Promise<void> {
    if (reason === '') throw new DomainError('invalid', MESSAGES.reasonRequired);
    if (kind === 'refund_failing') throw new DomainError('conflict', MESSAGES.refundNotDismissed);
    await this.db.transaction().execute(async (trx) => {
      const ended = await (kind === 'event_failing' ? this.giveUp(trx, subject) : this.dismiss(trx, subject, kind));
      if (!ended) throw new DomainError('notFound', MESSAGES.problemNotOpen);
      await this.acts.record(trx, {
        ...({ kind: 'payment_problem.dismissed', subject: { kind: 'payment_problem', id: subject } } as const),
        actor: admin,
        userId: ended.userId,
        before: { problem: kind },
        reason,
      });
    });
  }

  private async dismiss(trx: Transaction<PaymentTables>, subject: string, kind: string): Promise<Ended | undefined> {
    const now = this.clock.now();
    return trx
      .updateTable('payment_problem')
      .set({ resolved_at: now, dismissed_at: now })
      .where('subject', '=', subject)
      .where('kind', '=', kind as PaymentProblemKind)
      .where('resolved_at', 'is', null)
      .returning(buyerOf(sql`subject`))
      .executeTakeFirst();
  }

  private async giveUp(trx: Transaction<PaymentTables>, eventId: string): Promise<Ended | undefined> {
    return trx
      .updateTable('payment_event')
      .set({ handled_at: this.clock.now() })
      .where('id', '=', eventId)
      .where('handled_at', 'is', null)
      .where('attempts', '>=', ATTEMPTS_BEFORE_ALERT)
      .returning(buyerOf(sql`object_id`))
      .executeTakeFirst();
  }
}

interface Ended {
  readonly userId: string | null;
}

/** The user of our session, refund or dispute. The reason is erased with the account. */
const buyerOf = (objectId: ReturnType<typeof sql>) =>
  sql<string | null>`(
    select user_id from checkout where session_id = ${objectId}
    union all
    select c.user_id from payment_reversal r join checkout c using (session_id) where r.object_id = ${objectId}
    limit 1
  )`.as('userId');

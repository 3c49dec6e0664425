import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely, type Selectable } from 'kysely';
import { type Actor } from '../../platform/acts/actor.js';
import { Acts } from '../../platform/acts/acts.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { CommandOf } from '../../platform/messages.js';
import { NoAccountError, OwnAccountError } from '../account/errors.js';
import { AccountStore } from '../ledger/account-store.js';
import { type CreditProposalTable, type CreditTables } from '../tables.js';

/** A proposed change of credits, with its decision once there is one. */
export type CreditProposalRow = Selectable<CreditProposalTable>;

/**
 * Proposes a grant or an adjustment to a second admin. A known id returns the proposal as it is.
 * @throws DomainError conflict for an id that was used with other content
 * @throws NoAccountError
 * @throws OwnAccountError
 */
export class ProposeCredits extends CommandOf<
  Pick<CreditProposalRow, 'id' | 'user_id' | 'kind' | 'amount' | 'reason'> & { readonly admin: Actor },
  CreditProposalRow
> {}

@CommandHandler(ProposeCredits)
export class ProposeCreditsHandler implements ICommandHandler<ProposeCredits> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreditTables>,
    private readonly accounts: AccountStore,
    private readonly acts: Acts,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { admin, ...proposal } }: ProposeCredits): Promise<CreditProposalRow> {
    const { id, user_id: userId, kind, amount, reason } = proposal;
    if (admin.userId === userId) throw new OwnAccountError();
    if (!(await this.accounts.read(userId, ({ lastEventAt }) => lastEventAt !== 0))) throw new NoAccountError();
    const stored = await this.db.transaction().execute(async (transaction) => {
      const row = await transaction
        .insertInto('credit_proposal')
        .values({ ...proposal, proposed_by: admin.userId, proposed_at: this.clock.now(), state: 'open' })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      if (!row) return undefined;
      await this.acts.record(transaction, {
        kind: 'credits.proposed',
        actor: admin,
        subject: { kind: 'proposal', id },
        userId,
        after: { kind, amount },
        reason,
      });
      return row;
    });
    if (stored) return stored;
    const known = await this.db
      .selectFrom('credit_proposal')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const same = known.user_id === userId && known.kind === kind && known.amount === amount && known.reason === reason;
    if (!same) throw new DomainError('conflict', 'This id was used for another proposal.');
    return known;
  }
}

import { Inject } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { type Actor } from '../../platform/acts/actor.js';
import { Acts } from '../../platform/acts/acts.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { inPages } from '../../platform/database/in-pages.js';
import { DomainError } from '../../platform/domain-error.js';
import { type CreditTables } from '../tables.js';
import { AdjustCredits } from './adjust-credits.js';
import { GrantBonusCredits } from './grant-bonus-credits.js';
import { type CreditProposalRow } from './propose-credits.js';

/** Proposals in memory at a time. */
const ROWS_PER_READ = 20;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * The decision of a second admin on a proposal. An approval changes the account with the proposal's id, so repeating it
 * changes nothing.
 * @throws DomainError notFound; forbidden for the proposer and the user; conflict once another decision was made, or
 * when the ledger refuses the change; gone when the account was deleted (the proposal stays open for both)
 */
export class DecideCreditProposal extends Command<CreditProposalRow> {
  constructor(
    readonly input: {
      readonly proposalId: string;
      readonly approve: boolean;
      readonly reason: string | null;
      readonly admin: Actor;
    },
  ) {
    super();
  }
}

@CommandHandler(DecideCreditProposal)
export class DecideCreditProposalHandler implements ICommandHandler<DecideCreditProposal> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreditTables>,
    private readonly acts: Acts,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { proposalId, approve, reason, admin } }: DecideCreditProposal): Promise<CreditProposalRow> {
    const proposal = await this.find(proposalId);
    if (proposal.proposed_by === admin.userId || proposal.user_id === admin.userId) {
      throw new DomainError('forbidden', 'Another admin must decide this proposal.', { code: '42501' });
    }
    const decided = await this.store(proposal, { approve, reason, admin });
    if (decided.state !== (approve ? 'approved' : 'declined')) {
      throw new DomainError('conflict', `This proposal was ${decided.state} by another admin.`, { code: '55000' });
    }
    // The worker completes an approval of another admin.
    const isOwn = decided.decided_by === admin.userId;
    return approve && isOwn && decided.applied_at === null ? this.apply(decided, admin) : decided;
  }

  /** Pages of the approvals that are not in the ledger, the earliest first. */
  unapplied(): AsyncIterable<readonly CreditProposalRow[]> {
    return inPages(ROWS_PER_READ, (last: CreditProposalRow | null, limit) =>
      this.db
        .selectFrom('credit_proposal')
        .selectAll()
        .where('state', '=', 'approved')
        .where('applied_at', 'is', null)
        .where((row) =>
          row.eb(
            row.refTuple('decided_at', 'id'),
            '>',
            row.tuple(last?.decided_at ?? new Date(0), last?.id ?? FIRST_ID),
          ),
        )
        .orderBy('decided_at')
        .orderBy('id')
        .limit(limit)
        .execute(),
    );
  }

  /**
   * Completes an approval that a crash has interrupted.
   * @throws DomainError conflict, gone: the proposal is open again
   */
  async complete(approved: CreditProposalRow): Promise<void> {
    await this.apply(approved, { userId: approved.decided_by ?? '', role: 'admin', requestId: null, address: null });
  }

  private async find(id: string): Promise<CreditProposalRow> {
    const row = await this.db.selectFrom('credit_proposal').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) throw new DomainError('notFound', 'There is no such proposal.');
    return row;
  }

  /** Stores the decision on an open proposal. @returns the proposal as it is now, decided by this admin or another */
  private async store(
    { id, user_id: userId, kind, amount }: CreditProposalRow,
    { approve, reason, admin }: Pick<DecideCreditProposal['input'], 'approve' | 'reason' | 'admin'>,
  ): Promise<CreditProposalRow> {
    const row = await this.db.transaction().execute(async (transaction) => {
      const changed = await transaction
        .updateTable('credit_proposal')
        .set({ state: approve ? 'approved' : 'declined', decided_by: admin.userId, decided_at: this.clock.now() })
        .where('id', '=', id)
        .where('state', '=', 'open')
        .returningAll()
        .executeTakeFirst();
      // The entry of an approval is that of the grant or adjustment.
      if (changed && !approve) {
        await this.acts.record(transaction, {
          kind: 'credits.declined',
          actor: admin,
          subject: { kind: 'proposal', id },
          userId,
          before: { kind, amount },
          reason,
        });
      }
      return changed;
    });
    return row ?? this.find(id);
  }

  private async apply(proposal: CreditProposalRow, admin: Actor): Promise<CreditProposalRow> {
    const { id, user_id: userId, kind, amount, reason, proposed_by: proposedBy } = proposal;
    const change = { userId, amount, reason, approves: { proposalId: id, proposedBy } };
    try {
      await this.commands.execute(
        kind === 'grant'
          ? new GrantBonusCredits({ ...change, grantId: id, by: admin })
          : new AdjustCredits({ ...change, adjustmentId: id, admin }),
      );
    } catch (error) {
      // A refusal has changed nothing. After any other failure the change may have been made: it is tried again.
      const refused = error instanceof DomainError && (error.kind === 'conflict' || error.kind === 'gone');
      if (refused) await this.reopen(id);
      throw error;
    }
    return this.db
      .updateTable('credit_proposal')
      .set({ applied_at: this.clock.now() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  private async reopen(id: string): Promise<void> {
    await this.db
      .updateTable('credit_proposal')
      .set({ state: 'open', decided_by: null, decided_at: null })
      .where('id', '=', id)
      .where('applied_at', 'is', null)
      .execute();
  }
}

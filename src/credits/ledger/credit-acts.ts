import { Injectable } from '@nestjs/common';
import { type ActKind, type ActValues } from '../../contract/acts.js';
import { type Actor } from '../../platform/acts/actor.js';
import { actIdOf, Acts } from '../../platform/acts/acts.js';
import { accountTime, balancesAt, type Balances } from '../account/state.js';
import { AccountStore } from './account-store.js';
import { type Decide } from './pending-command.js';

/** An act of an admin on an account. */
export interface CreditAct {
  readonly kind: Extract<ActKind, `credits.${string}`>;
  readonly userId: string;
  readonly admin: Actor;
  /** Chosen by the caller: the same request twice is one act. */
  readonly requestId: string;
  /** Credits. */
  readonly amount: number;
  readonly reason: string;
  /** The proposal that the admin has approved, if there is one. */
  readonly approves?: ApprovedProposal | undefined;
}

/** A change of credits that one admin has proposed and another one approves. */
export interface ApprovedProposal {
  readonly proposalId: string;
  /** User id of the admin who proposed it. */
  readonly proposedBy: string;
}

/** Changes of accounts by admins. Each is announced in the log of acts before the ledger, and ended after it. */
@Injectable()
export class CreditActs {
  constructor(
    private readonly accounts: AccountStore,
    private readonly acts: Acts,
  ) {}

  /**
   * Executes a command on an account as an act of an admin. The log shows the balances before and after it.
   * @throws the errors of `decide` and of {@link AccountStore.execute}
   */
  async perform(
    { kind, userId, admin, requestId, amount, reason, approves }: CreditAct,
    decide: Decide,
  ): Promise<Balances> {
    const act = {
      kind,
      actor: admin,
      subject: { kind: 'user', id: userId },
      userId,
      after: {
        amount,
        ...(approves ? { proposal: approves.proposalId, proposed_by: approves.proposedBy } : {}),
      },
      reason,
    } as const;
    // A request with other content is another act: the ledger refuses it.
    const id = actIdOf(kind, userId, requestId, admin.userId, amount, reason);
    return this.acts.perform(act, id, async (causationId) => {
      let before: Balances | null = null;
      const { answer, addresses } = await this.accounts.execute(
        userId,
        { actorId: admin.userId, causationId },
        (account, now) => {
          before = balancesAt(account, accountTime(account, now));
          return decide(account, now);
        },
        balancesAt,
      );
      return {
        answer,
        before: before ? valuesOf(before) : {},
        after: { amount, ...valuesOf(answer) },
        events: addresses,
      };
    });
  }
}

/** Balances as the log shows them. */
function valuesOf({ daily, bonus, paid, total }: Balances): ActValues {
  return { daily, bonus, paid, total };
}

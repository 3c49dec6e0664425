import { Inject } from '@nestjs/common';
import { CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { AccountStore } from './account-store.js';
import { balancesAt, creditTypeOf, type AccountState } from './account.js';
import {
  DeductCredits,
  GrantBonusCredits,
  GrantDailyCredits,
  OpenAccount,
  RefundDeduction,
  SettleDeduction,
  type CreditTypeUsed,
  type DeductCreditsResult,
  type GrantDailyCreditsResult,
  type RefundDeductionResult,
} from './commands.js';
import { CREDIT_SETTINGS, type CreditSettings } from './constants.js';
import {
  deductCredits,
  grantBonusCredits,
  grantDailyCredits,
  openAccount,
  refundDeduction,
  settleDeduction,
} from './decide.js';

/** Actor of what follows from a generation's outcome. */
const SYSTEM = 'system';

@CommandHandler(OpenAccount)
export class OpenAccountHandler implements ICommandHandler<OpenAccount> {
  constructor(private readonly accounts: AccountStore) {}

  async execute({ userId }: OpenAccount): Promise<CommandResult<OpenAccount>> {
    const { state, at, position } = await this.accounts.execute(userId, { actorId: userId }, openAccount);
    return { balances: balancesAt(state, at), position };
  }
}

@CommandHandler(GrantDailyCredits)
export class GrantDailyCreditsHandler implements ICommandHandler<GrantDailyCredits> {
  constructor(
    private readonly accounts: AccountStore,
    @Inject(CREDIT_SETTINGS) private readonly settings: CreditSettings,
  ) {}

  async execute({ userId }: GrantDailyCredits): Promise<GrantDailyCreditsResult> {
    const { state, at, events, position } = await this.accounts.execute(userId, { actorId: userId }, (account, now) =>
      grantDailyCredits(account, now, this.settings),
    );
    const grant = events.find(({ type, data }) => type === 'CreditsGranted' && data.source === 'daily');
    return {
      granted: grant !== undefined,
      amount: grant ? this.settings.dailyGrantCredits : 0,
      grantDate: lastDailyGrantOf(state),
      balances: balancesAt(state, at),
      position,
    };
  }
}

@CommandHandler(GrantBonusCredits)
export class GrantBonusCreditsHandler implements ICommandHandler<GrantBonusCredits> {
  constructor(private readonly accounts: AccountStore) {}

  async execute(command: GrantBonusCredits): Promise<CommandResult<GrantBonusCredits>> {
    const { state, at, position } = await this.accounts.execute(
      command.userId,
      { actorId: command.actorId },
      (account, now) => grantBonusCredits(command, account, now),
    );
    return { balances: balancesAt(state, at), position };
  }
}

@CommandHandler(DeductCredits)
export class DeductCreditsHandler implements ICommandHandler<DeductCredits> {
  constructor(private readonly accounts: AccountStore) {}

  async execute(command: DeductCredits): Promise<DeductCreditsResult> {
    const { userId, deductionId, amount } = command;
    const origin = { actorId: userId, correlationId: deductionId };
    const { state, at, position } = await this.accounts.execute(userId, origin, (account, now) =>
      deductCredits(command, account, now),
    );
    return { balances: balancesAt(state, at), creditTypeUsed: creditTypeUsedBy(state, deductionId), amount, position };
  }
}

@CommandHandler(SettleDeduction)
export class SettleDeductionHandler implements ICommandHandler<SettleDeduction> {
  constructor(private readonly accounts: AccountStore) {}

  async execute(command: SettleDeduction): Promise<CommandResult<SettleDeduction>> {
    const origin = { actorId: SYSTEM, correlationId: command.deductionId };
    const { position } = await this.accounts.execute(command.userId, origin, (account, now) =>
      settleDeduction(command, account, now),
    );
    return { position };
  }
}

@CommandHandler(RefundDeduction)
export class RefundDeductionHandler implements ICommandHandler<RefundDeduction> {
  constructor(private readonly accounts: AccountStore) {}

  async execute(command: RefundDeduction): Promise<RefundDeductionResult> {
    const { userId, deductionId } = command;
    const origin = { actorId: SYSTEM, correlationId: deductionId };
    const { state, at, events, position } = await this.accounts.execute(userId, origin, (account, now) =>
      refundDeduction(command, account, now),
    );
    const ended = state.ended.get(deductionId);
    return {
      amount: ended?.amount ?? 0,
      originalCreditType: ended?.creditTypeUsed ?? null,
      alreadyRefunded: events.length === 0 && ended?.outcome === 'refunded',
      balances: balancesAt(state, at),
      position,
    };
  }
}

function creditTypeUsedBy(state: AccountState, deductionId: string): CreditTypeUsed {
  const open = state.open.get(deductionId);
  const used = open ? creditTypeOf(open.allocations) : state.ended.get(deductionId)?.creditTypeUsed;
  if (!used) throw new Error(`Deduction ${deductionId} is not in the account that has just accepted it.`);
  return used;
}

function lastDailyGrantOf(state: AccountState): string {
  if (state.lastDailyGrant === null) throw new Error('An account has no daily grant after one was decided.');
  return state.lastDailyGrant;
}

export const COMMAND_HANDLERS = [
  OpenAccountHandler,
  GrantDailyCreditsHandler,
  GrantBonusCreditsHandler,
  DeductCreditsHandler,
  SettleDeductionHandler,
  RefundDeductionHandler,
];

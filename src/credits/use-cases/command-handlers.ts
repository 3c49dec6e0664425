import { Inject } from '@nestjs/common';
import { CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { SIGN_UP_BONUS_CREDITS } from '../../contract/prices.js';
import { AccountStore } from '../ledger/account-store.js';
import { balancesAt, creditTypeOf, type AccountState } from '../account/state.js';
import {
  AdjustCredits,
  DeductCredits,
  GrantBonusCredits,
  GrantDailyCredits,
  NoAccountError,
  OpenAccount,
  RefundDeduction,
  SettleDeduction,
  type CreditTypeUsed,
  type DeductCreditsResult,
  type GrantDailyCreditsResult,
  type OpenAccountResult,
  type RefundDeductionResult,
} from './commands.js';
import { CREDIT_SETTINGS, type CreditSettings } from '../account/constants.js';
import {
  adjustCredits,
  deductCredits,
  grantBonusCredits,
  grantDailyCredits,
  openAccount,
  refundDeduction,
  settleDeduction,
} from '../account/decide.js';

/** Actor of what follows from a generation's outcome. */
const SYSTEM = 'system';

@CommandHandler(OpenAccount)
export class OpenAccountHandler implements ICommandHandler<OpenAccount> {
  constructor(private readonly accounts: AccountStore) {}

  async execute({ userId }: OpenAccount): Promise<OpenAccountResult> {
    const { answer, position } = await this.accounts.execute(
      userId,
      { actorId: userId },
      openAccount,
      (account, at) => {
        const balances = balancesAt(account, at);
        return { balances, untouched: account.lotCount === 1 && balances.total === SIGN_UP_BONUS_CREDITS };
      },
    );
    return { ...answer, position };
  }
}

@CommandHandler(GrantDailyCredits)
export class GrantDailyCreditsHandler implements ICommandHandler<GrantDailyCredits> {
  constructor(
    private readonly accounts: AccountStore,
    @Inject(CREDIT_SETTINGS) private readonly settings: CreditSettings,
  ) {}

  async execute({ userId }: GrantDailyCredits): Promise<GrantDailyCreditsResult> {
    const { answer, events, position } = await this.accounts.execute(
      userId,
      { actorId: userId },
      (account, now) => grantDailyCredits(account, now, this.settings),
      (account, at) => ({ grantDate: lastDailyGrantOf(account), balances: balancesAt(account, at) }),
    );
    const grant = events.find(({ type, data }) => type === 'CreditsGranted' && data.source === 'daily');
    return { granted: grant !== undefined, amount: grant ? this.settings.dailyGrantCredits : 0, ...answer, position };
  }
}

@CommandHandler(GrantBonusCredits)
export class GrantBonusCreditsHandler implements ICommandHandler<GrantBonusCredits> {
  constructor(private readonly accounts: AccountStore) {}

  async execute(command: GrantBonusCredits): Promise<CommandResult<GrantBonusCredits>> {
    const { answer, position } = await this.accounts.execute(
      command.userId,
      { actorId: command.actorId },
      (account, now) => {
        if (command.toKnownAccount) requireKnown(account);
        return grantBonusCredits(command, account, now);
      },
      balancesAt,
    );
    return { balances: answer, position };
  }
}

@CommandHandler(AdjustCredits)
class AdjustCreditsHandler implements ICommandHandler<AdjustCredits> {
  constructor(private readonly accounts: AccountStore) {}

  async execute(command: AdjustCredits): Promise<CommandResult<AdjustCredits>> {
    const { answer, position } = await this.accounts.execute(
      command.userId,
      { actorId: command.actorId },
      (account, now) => {
        requireKnown(account);
        return adjustCredits(command, account, now);
      },
      balancesAt,
    );
    return { balances: answer, position };
  }
}

@CommandHandler(DeductCredits)
export class DeductCreditsHandler implements ICommandHandler<DeductCredits> {
  constructor(private readonly accounts: AccountStore) {}

  async execute(command: DeductCredits): Promise<DeductCreditsResult> {
    const { userId, deductionId, amount } = command;
    const origin = { actorId: userId, correlationId: deductionId };
    const { answer, position } = await this.accounts.execute(
      userId,
      origin,
      (account, now) => deductCredits(command, account, now),
      (account, at) => ({
        balances: balancesAt(account, at),
        creditTypeUsed: creditTypeUsedBy(account, deductionId),
      }),
    );
    return { ...answer, amount, position };
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
    const { answer, position } = await this.accounts.execute(
      userId,
      origin,
      (account, now) => refundDeduction(command, account, now),
      (account, at, events) => {
        const ended = account.ended.get(deductionId);
        return {
          amount: ended?.amount ?? 0,
          originalCreditType: ended?.creditTypeUsed ?? null,
          alreadyRefunded: events.length === 0 && ended?.outcome === 'refunded',
          balances: balancesAt(account, at),
        };
      },
    );
    return { ...answer, position };
  }
}

function requireKnown({ lastEventAt }: AccountState): void {
  if (lastEventAt === 0) throw new NoAccountError();
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
  AdjustCreditsHandler,
  DeductCreditsHandler,
  SettleDeductionHandler,
  RefundDeductionHandler,
];

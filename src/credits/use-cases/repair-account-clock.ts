import { Command, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { repairClock, requireAccount } from '../account/decide.js';
import { utcDayOfDailyLot } from '../account/events.js';
import { AccountBusyError, AccountStore } from '../ledger/account-store.js';

/**
 * Sets the time of an account back to now. A clock that was ahead had dated events into the future, so the account
 * accepts no command until that time. A repeat changes nothing.
 * @throws NoAccountError
 * @throws AccountBusyError when the account changed meanwhile; the call may be repeated
 */
export class RepairAccountClock extends Command<{
  /** The account's time before the repair; null when it was not ahead. */
  readonly aheadUntil: Date | null;
}> {
  constructor(
    readonly input: {
      readonly userId: string;
      readonly actorId: string;
      /** Stored permanently: must not name a person. */
      readonly reason: string;
    },
  ) {
    super();
  }
}

@CommandHandler(RepairAccountClock)
export class RepairAccountClockHandler implements ICommandHandler<RepairAccountClock> {
  constructor(private readonly accounts: AccountStore) {}

  async execute({
    input: { userId, actorId, reason },
  }: RepairAccountClock): Promise<CommandResult<RepairAccountClock>> {
    // The state of an account keeps the last daily grant only. The repair needs the day of every one.
    const grantedDays: string[] = [];
    const { state: loaded } = await this.accounts.load(userId, ({ type, data }) => {
      if (type === 'CreditsGranted' && data.source === 'daily') grantedDays.push(utcDayOfDailyLot(data.lotId));
    });
    const { lotCount } = loaded;
    const { events } = await this.accounts.execute(userId, { actorId }, (account, now) => {
      requireAccount(account);
      if (account.lotCount !== lotCount) throw new AccountBusyError();
      return repairClock({ reason, grantedDays }, account, now);
    });
    const [repaired] = events.flatMap((event) => (event.type === 'ClockRepaired' ? [event.data] : []));
    return { aheadUntil: repaired ? new Date(repaired.aheadUntil) : null };
  }
}

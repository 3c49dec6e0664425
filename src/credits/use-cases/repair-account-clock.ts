import { CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { type Actor } from '../../platform/acts/actor.js';
import { Acts } from '../../platform/acts/acts.js';
import { CommandOf } from '../../platform/messages.js';
import { repairClock, requireAccount } from '../account/decide.js';
import { utcDayOfDailyLot } from '../account/events.js';
import { AccountBusyError, AccountStore } from '../ledger/account-store.js';

/**
 * Sets the time of an account back to now. A clock that was ahead had dated events into the future, so the account
 * accepts no command until that time. A repeat changes nothing.
 * @throws NoAccountError
 * @throws AccountBusyError when the account changed meanwhile; the call may be repeated
 */
export class RepairAccountClock extends CommandOf<
  {
    readonly userId: string;
    readonly admin: Actor;
    /** Stored permanently: must not name a person. */
    readonly reason: string;
  },
  {
    /** The account's time before the repair; null when it was not ahead. */
    readonly aheadUntil: Date | null;
  }
> {}

@CommandHandler(RepairAccountClock)
export class RepairAccountClockHandler implements ICommandHandler<RepairAccountClock> {
  constructor(
    private readonly accounts: AccountStore,
    private readonly acts: Acts,
  ) {}

  async execute({ input: { userId, admin, reason } }: RepairAccountClock): Promise<CommandResult<RepairAccountClock>> {
    // The state of an account keeps the last daily grant only. The repair needs the day of every one.
    const grantedDays: string[] = [];
    const { state: loaded } = await this.accounts.load(userId, ({ type, data }) => {
      if (type === 'CreditsGranted' && data.source === 'daily') grantedDays.push(utcDayOfDailyLot(data.lotId));
    });
    requireAccount(loaded);
    const { lotCount } = loaded;
    const act = {
      kind: 'clock.repaired',
      actor: admin,
      subject: { kind: 'user', id: userId },
      userId,
      reason,
    } as const;
    return this.acts.perform(act, undefined, async (causationId) => {
      const origin = { actorId: admin.userId, causationId };
      const { events, addresses } = await this.accounts.execute(userId, origin, (account, now) => {
        if (account.lotCount !== lotCount) throw new AccountBusyError();
        return repairClock({ reason, grantedDays }, account, now);
      });
      const [repaired] = events.flatMap((event) => (event.type === 'ClockRepaired' ? [event.data] : []));
      const aheadUntil = repaired ? new Date(repaired.aheadUntil) : null;
      return {
        answer: { aheadUntil },
        before: { ahead_until: aheadUntil?.toISOString() ?? null },
        after: { ahead_until: null },
        events: addresses,
      };
    });
  }
}

import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { OncePerPerson } from '../../platform/once-per-person.js';
import { RecentIds } from '../../platform/recent-ids.js';
import { type BonusDecision } from '../account/decide.js';
import { BonusUndecidedError } from '../account/errors.js';

/** Maximum number of users without a bonus that are remembered. */
const REMEMBERED_USERS = 10_000;
/** How long they are remembered. `OpenAccount` claims without regard to it. */
const REMEMBERED_MS = 60_000;

/** Claims the sign-up bonus for commands that open the account on the way. */
@Injectable()
export class SignUpBonus {
  private readonly withoutBonus = new RecentIds(REMEMBERED_USERS, REMEMBERED_MS);

  constructor(
    private readonly persons: OncePerPerson,
    private readonly clock: Clock,
  ) {}

  /**
   * Executes a command. Only if the account is not open and the command needs to know whether a bonus is due, the bonus
   * is claimed and the command executed again.
   */
  async decideFor<T>(userId: string, execute: (bonus: BonusDecision) => Promise<T>): Promise<T> {
    if (this.withoutBonus.has(userId, this.clock.now())) return execute('none');
    try {
      return await execute('undecided');
    } catch (error) {
      if (!(error instanceof BonusUndecidedError)) throw error;
    }
    if ((await this.persons.claim(userId)) === 'claimed') return execute('due');
    this.withoutBonus.add(userId, this.clock.now());
    return execute('none');
  }
}

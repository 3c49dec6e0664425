import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Transaction } from 'kysely';
import { CommandOf } from '../../platform/messages.js';
import { type SuspensionRow, Suspensions } from '../moderation/suspensions.js';
import { type GenerationTables } from '../tables.js';

/** Keeps a user from starting images, in the caller's transaction. With one in force, the later end counts. */
export class SuspendUser extends CommandOf<
  {
    readonly transaction: Transaction<GenerationTables>;
    readonly userId: string;
    /** Null: until an admin ends it. */
    readonly days: number | null;
    readonly reason: string;
  },
  SuspensionRow
> {}

/** Ends the suspension of a user, in the caller's transaction. False without one in force. */
export class LiftSuspension extends CommandOf<
  { readonly transaction: Transaction<GenerationTables>; readonly userId: string },
  boolean
> {}

@CommandHandler(SuspendUser)
export class SuspendUserHandler implements ICommandHandler<SuspendUser> {
  constructor(private readonly suspensions: Suspensions) {}

  async execute({ input: { transaction, ...suspension } }: SuspendUser): Promise<SuspensionRow> {
    return this.suspensions.suspend(transaction, suspension);
  }
}

@CommandHandler(LiftSuspension)
export class LiftSuspensionHandler implements ICommandHandler<LiftSuspension> {
  constructor(private readonly suspensions: Suspensions) {}

  async execute({ input: { transaction, userId } }: LiftSuspension): Promise<boolean> {
    return this.suspensions.lift(transaction, userId);
  }
}

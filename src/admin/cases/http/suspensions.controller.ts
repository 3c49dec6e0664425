import { Body, Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { LiftSuspensionRequest, SuspendRequest } from '../../../contract/calls/moderation.js';
import { type Suspension } from '../../../contract/moderation.js';
import { RATE_LIMITS } from '../../../contract/rate-limits.js';
import { type Success } from '../../../contract/scalars.js';
import { GetSuspension } from '../../../generation/index.js';
import { Acting, type Actor } from '../../../platform/acts/actor.js';
import { ADMIN_ACT, CurrentUser, Rpc, signedIn } from '../../../platform/http/routes.js';
import { type Principal } from '../../../platform/principal.js';
import { ChangeSuspension } from '../use-cases/change-suspension.js';

/** Admins keep users from starting images; users read their own suspension. */
@Controller()
export class SuspensionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Rpc('suspend_user_admin', ADMIN_ACT)
  async suspend(@Acting() actor: Actor, @Body() request: SuspendRequest): Promise<Suspension> {
    const { p_user_id: userId, p_days: days = null, p_reason: reason } = request;
    const suspension = await this.commands.execute(new ChangeSuspension({ actor, userId, days, reason }));
    if (!suspension) throw new Error('The suspension was not stored.');
    return suspension;
  }

  @Rpc('lift_suspension_admin', ADMIN_ACT)
  async lift(@Acting() actor: Actor, @Body() request: LiftSuspensionRequest): Promise<Success> {
    const { p_user_id: userId, p_reason: reason } = request;
    await this.commands.execute(new ChangeSuspension({ actor, userId, days: 'lift', reason }));
    return { success: true };
  }

  @Rpc('get_own_suspension_by_jwt', signedIn('read your account', RATE_LIMITS.dataFetch))
  async own(@CurrentUser() { userId }: Principal): Promise<Suspension | null> {
    const row = await this.queries.execute(new GetSuspension({ userId }));
    return row && { until: row.until?.toISOString() ?? null, since: row.since.toISOString(), reason: row.reason };
  }
}

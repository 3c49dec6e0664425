import { Body, Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type ModerationRefusal } from '../../contract/generation.js';
import { PAGE_SIZES } from '../../contract/limits.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { PageRequest } from '../../platform/http/page-request.js';
import { Rpc } from '../../platform/http/routes.js';
import { ListModerationRefusals } from '../reads/list-moderation-refusals.js';

/** The refused prompts, for admins. */
@Controller()
export class ModerationController {
  constructor(private readonly queries: QueryBus) {}

  @Rpc('get_moderation_refusals', { access: 'admin', limit: RATE_LIMITS.dataFetch })
  async list(@Body() request: PageRequest): Promise<ModerationRefusal[]> {
    const limit = request.p_limit ?? PAGE_SIZES.moderation;
    return this.queries.execute(new ListModerationRefusals({ limit, offset: request.p_offset ?? 0 }));
  }
}

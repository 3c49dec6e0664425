import { Body, Controller } from '@nestjs/common';
import { PAGE_SIZES } from '../../contract/limits.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { PageRequest } from '../../platform/http/page-request.js';
import { Rpc } from '../../platform/http/routes.js';
import { type ModerationRefusal } from '../../contract/generation.js';
import { ModerationRefusals } from '../reads/moderation-refusals.js';

/** What admins see of moderation. */
@Controller()
export class ModerationController {
  constructor(private readonly refusals: ModerationRefusals) {}

  @Rpc('get_moderation_refusals', { access: 'admin', limit: RATE_LIMITS.dataFetch })
  async page(@Body() request: PageRequest): Promise<ModerationRefusal[]> {
    return this.refusals.page(request.p_limit ?? PAGE_SIZES.moderation, request.p_offset ?? 0);
  }
}

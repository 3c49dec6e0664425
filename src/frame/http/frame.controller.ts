import { Body, Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { FrameRequest } from '../../contract/calls/frame.js';
import { type Frame } from '../../contract/frame.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { CurrentUser, Rpc } from '../../platform/http/routes.js';
import { type Principal } from '../../platform/principal.js';
import { ReadFrame } from '../reads/read-frame.js';

/** The call that a page makes once it knows who reads it. */
@Controller()
export class FrameController {
  constructor(private readonly queries: QueryBus) {}

  @Rpc('get_frame', { access: 'user', limit: RATE_LIMITS.frame })
  async frame(@CurrentUser() { userId }: Principal, @Body() { p_area: area }: FrameRequest): Promise<Frame> {
    return this.queries.execute(new ReadFrame({ userId, area: area ?? 'site' }));
  }
}

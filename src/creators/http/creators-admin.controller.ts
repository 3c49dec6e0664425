import { Body, Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApproveCreatorRequest,
  CreatorVisibilityRequest,
  FeatureCreatorRequest,
  RejectCreatorRequest,
} from '../../contract/calls/creators.js';
import { CreatorById } from '../../contract/calls/shared.js';
import { type AdminCreator } from '../../contract/creators.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { Acting, type Actor } from '../../platform/acts/actor.js';
import { ADMIN_ACT, Rpc } from '../../platform/http/routes.js';
import { ListCreatorsForAdmins } from '../reads/list-creators-for-admins.js';
import { ApproveCreator } from '../use-cases/approve-creator.js';
import { RejectCreator } from '../use-cases/reject-creator.js';
import { SetCreatorFeatured } from '../use-cases/set-creator-featured.js';
import { SetCreatorVisibility } from '../use-cases/set-creator-visibility.js';
import { ViewCreator } from '../use-cases/view-creator.js';

/** Every call here reads the caller's roles from the identity provider. */
const CHANGE = { access: 'admin', freshRoles: true, limit: RATE_LIMITS.standardApi } as const;
const FRESH_READ = { ...CHANGE, limit: RATE_LIMITS.adminData } as const;

/** The admins' calls about creators and applicants (creator spec, sections 2, 6 and 7). */
@Controller()
export class CreatorsAdminController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Rpc('get_all_creators_admin_by_jwt', FRESH_READ)
  async approved(): Promise<AdminCreator[]> {
    return this.queries.execute(new ListCreatorsForAdmins({ all: false }));
  }

  @Rpc('get_all_creators_including_archived_admin_by_jwt', FRESH_READ)
  async all(): Promise<AdminCreator[]> {
    return this.queries.execute(new ListCreatorsForAdmins({ all: true }));
  }

  @Rpc('approve_creator_admin_by_jwt', CHANGE)
  async approve(@Acting() actor: Actor, @Body() request: ApproveCreatorRequest): Promise<AdminCreator> {
    const verification = {
      identity: request.p_identity_verified,
      age: request.p_age_verified,
      instagram: request.p_instagram_verified,
    };
    const ids = { creatorId: request.p_creator_id, actor };
    return this.commands.execute(new ApproveCreator({ ...ids, verification }));
  }

  @Rpc('reject_creator_admin_by_jwt', CHANGE)
  async reject(@Acting() actor: Actor, @Body() request: RejectCreatorRequest): Promise<AdminCreator> {
    const { p_creator_id: creatorId, p_reason: reason = '' } = request;
    return this.commands.execute(new RejectCreator({ creatorId, actor, reason }));
  }

  @Rpc('view_creator_admin', ADMIN_ACT)
  async view(@Acting() actor: Actor, @Body() request: CreatorById): Promise<AdminCreator> {
    return this.commands.execute(new ViewCreator({ creatorId: request.p_creator_id, actor }));
  }

  @Rpc('toggle_creator_visibility', CHANGE)
  async setVisibility(@Acting() actor: Actor, @Body() request: CreatorVisibilityRequest): Promise<boolean> {
    const { p_creator_id: creatorId, p_is_visible: visible } = request;
    return this.commands.execute(new SetCreatorVisibility({ creatorId, actor, visible }));
  }

  @Rpc('toggle_creator_featured', CHANGE)
  async setFeatured(@Acting() actor: Actor, @Body() request: FeatureCreatorRequest): Promise<boolean> {
    const { p_creator_id: creatorId, p_is_featured: featured } = request;
    return this.commands.execute(new SetCreatorFeatured({ creatorId, actor, featured }));
  }
}

import { Body, Controller, Headers } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { CreateCreatorRequest, TermsLogRequest } from '../../contract/calls/creators.js';
import { type FunctionResponse } from '../../contract/calls.js';
import { type CreateCreatorResponse, type OwnCreator } from '../../contract/creators.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { CurrentUser, Fn, Rpc, signedIn } from '../../platform/http/routes.js';
import { type Principal } from '../../platform/principal.js';
import { GetOwnRecord } from '../reads/get-own-record.js';
import { CreateCreator } from '../use-cases/create-creator.js';
import { LogTermsAcceptance } from '../use-cases/log-terms-acceptance.js';

/** Applying as a creator, and accepting the terms (creator spec, sections 4, 5 and 7). */
@Controller()
export class ApplicationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Rpc('get_creator_by_jwt', signedIn('read the creator profile', RATE_LIMITS.creatorData))
  async own(@CurrentUser() { userId }: Principal): Promise<OwnCreator[]> {
    const record = await this.queries.execute(new GetOwnRecord({ userId }));
    return record ? [record] : [];
  }

  @Rpc('create_creator_by_jwt', signedIn('apply as a creator', RATE_LIMITS.creatorApplications))
  async create(
    @CurrentUser() { userId }: Principal,
    @Body() request: CreateCreatorRequest,
    @Headers('user-agent') userAgent: string | undefined,
  ): Promise<CreateCreatorResponse> {
    const { p_email: email, p_name: name, p_instagram: instagram, p_terms_agreed: termsAgreed } = request;
    const form = { email, name, instagram, termsAgreed };
    const created = await this.commands.execute(new CreateCreator({ userId, form, userAgent }));
    const { creatorId, username, status } = created;
    return { success: true, creator_id: creatorId, username, creator_status: status };
  }

  @Fn('log-terms-acceptance', signedIn('log the terms acceptance', RATE_LIMITS.termsLogging))
  async logAcceptance(
    @CurrentUser() { userId }: Principal,
    @Body() request: TermsLogRequest,
    @Headers('user-agent') userAgent: string | undefined,
  ): Promise<FunctionResponse<'log-terms-acceptance'>> {
    const log = {
      userId: request.user_id,
      email: request.email,
      termsVersion: request.terms_version,
      termsUrl: request.terms_url,
      method: request.method_of_acceptance,
      statement: request.accepted_text_snapshot,
      userAgent: request.user_agent,
    };
    const id = await this.commands.execute(new LogTermsAcceptance({ userId, log, userAgent }));
    return { success: true, id };
  }
}

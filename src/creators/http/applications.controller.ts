import { Body, Controller, Headers } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsBoolean, IsOptional, IsString, MaxLength } from 'class-validator';
import { type FunctionRequest, type FunctionResponse, type RpcRequest } from '../../contract/calls.js';
import { type CreateCreatorResponse, type OwnCreator } from '../../contract/creators.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { CurrentUser, Fn, Rpc } from '../../platform/http/routes.js';
import { type Principal } from '../../platform/principal.js';
import { GetOwnRecord } from '../reads/get-own-record.js';
import { CreateCreator } from '../use-cases/create-creator.js';
import { LogTermsAcceptance } from '../use-cases/log-terms-acceptance.js';

/** The rules of the form refuse missing and longer texts in the words of the spec. */
class CreateRequest implements Partial<RpcRequest<'create_creator_by_jwt'>> {
  @IsOptional()
  @IsString()
  @MaxLength(320)
  p_email?: string;

  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  p_name?: string;

  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  p_instagram?: string;

  @IsOptional()
  @IsBoolean()
  p_terms_agreed?: boolean;
}

class TermsLogRequest implements Partial<FunctionRequest<'log-terms-acceptance'>> {
  @IsOptional()
  @IsString()
  @MaxLength(200)
  user_id?: string;

  @IsOptional()
  @IsString()
  @MaxLength(320)
  email?: string;

  /** Not used: the record has the server's time. */
  @IsOptional()
  @IsString()
  @MaxLength(100)
  accepted_at?: string;

  @IsOptional()
  @IsString()
  @MaxLength(10_000)
  user_agent?: string;

  @IsOptional()
  @IsString()
  @MaxLength(50)
  terms_version?: string;

  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  terms_url?: string;

  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  method_of_acceptance?: string;

  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  accepted_text_snapshot?: string;
}

/** Applying as a creator, and accepting the terms (creator spec, sections 4, 5 and 7). */
@Controller()
export class ApplicationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Rpc('get_creator_by_jwt', {
    access: 'user',
    authenticationMessage: 'Authentication required to read the creator profile',
    limit: RATE_LIMITS.creatorData,
  })
  async own(@CurrentUser() { userId }: Principal): Promise<OwnCreator[]> {
    const record = await this.queries.execute(new GetOwnRecord({ userId }));
    return record ? [record] : [];
  }

  @Rpc('create_creator_by_jwt', {
    access: 'user',
    authenticationMessage: 'Authentication required to apply as a creator',
    limit: RATE_LIMITS.creatorApplications,
  })
  async create(
    @CurrentUser() { userId }: Principal,
    @Body() request: CreateRequest,
    @Headers('user-agent') userAgent: string | undefined,
  ): Promise<CreateCreatorResponse> {
    const { p_email: email, p_name: name, p_instagram: instagram, p_terms_agreed: termsAgreed } = request;
    const form = { email, name, instagram, termsAgreed };
    const created = await this.commands.execute(new CreateCreator({ userId, form, userAgent }));
    const { creatorId, username, status } = created;
    return { success: true, creator_id: creatorId, username, creator_status: status };
  }

  @Fn('log-terms-acceptance', {
    access: 'user',
    authenticationMessage: 'Authentication required to log the terms acceptance',
    limit: RATE_LIMITS.termsLogging,
  })
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

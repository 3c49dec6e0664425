import { Body, Controller, Headers } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  AddTermRequest,
  PauseRequest,
  PayoutDetailsRequest,
  RemoveTermRequest,
  WithdrawConsentRequest,
} from '../../contract/calls/creators.js';
import { type RpcResponse } from '../../contract/calls.js';
import { type BlockedTerm, type ConsentRecord, type PayoutDetails } from '../../contract/creators.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { type Success } from '../../contract/scalars.js';
import { CurrentUser, Rpc, signedIn } from '../../platform/http/routes.js';
import { type Principal } from '../../platform/principal.js';
import { GetOwnPayoutDetails } from '../reads/get-own-payout-details.js';
import { ListOwnBlockedTerms } from '../reads/list-own-blocked-terms.js';
import { ListOwnConsent } from '../reads/list-own-consent.js';
import { AddBlockedTerm } from '../use-cases/add-blocked-term.js';
import { RemoveBlockedTerm } from '../use-cases/remove-blocked-term.js';
import { SavePayoutDetails } from '../use-cases/save-payout-details.js';
import { SetCreatorPaused } from '../use-cases/set-creator-paused.js';
import { WithdrawConsent } from '../use-cases/withdraw-consent.js';

/** A creator's own controls: consent, pause, blocked words, payout details. Reads are empty for fans. */
@Controller()
export class OwnControlsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Rpc('get_own_consent_by_jwt', signedIn('read your consent', RATE_LIMITS.creatorData))
  async consent(@CurrentUser() { userId }: Principal): Promise<ConsentRecord[]> {
    return this.queries.execute(new ListOwnConsent({ userId }));
  }

  @Rpc('withdraw_consent_by_jwt', signedIn('withdraw your consent', RATE_LIMITS.financialOps))
  async withdraw(
    @CurrentUser() { userId }: Principal,
    @Body() request: WithdrawConsentRequest,
    @Headers('user-agent') userAgent?: string,
  ): Promise<RpcResponse<'withdraw_consent_by_jwt'>> {
    const confirmation = request.p_confirmation;
    const withdrawnAt = await this.commands.execute(new WithdrawConsent({ userId, confirmation, userAgent }));
    return { success: true, withdrawn_at: withdrawnAt.toISOString() };
  }

  @Rpc('set_creator_paused_by_jwt', signedIn('pause new images', RATE_LIMITS.standardApi))
  async pause(
    @CurrentUser() { userId }: Principal,
    @Body() request: PauseRequest,
    @Headers('user-agent') userAgent?: string,
  ): Promise<RpcResponse<'set_creator_paused_by_jwt'>> {
    const paused = request.p_paused;
    const pausedAt = await this.commands.execute(new SetCreatorPaused({ userId, paused, userAgent }));
    return { success: true, paused_at: pausedAt?.toISOString() ?? null };
  }

  @Rpc('get_own_blocked_terms_by_jwt', signedIn('read your blocked words', RATE_LIMITS.creatorData))
  async blockedTerms(@CurrentUser() { userId }: Principal): Promise<BlockedTerm[]> {
    return this.queries.execute(new ListOwnBlockedTerms({ userId }));
  }

  @Rpc('add_own_blocked_term_by_jwt', signedIn('block a word', RATE_LIMITS.creatorData))
  async addBlockedTerm(@CurrentUser() { userId }: Principal, @Body() request: AddTermRequest): Promise<BlockedTerm> {
    return this.commands.execute(new AddBlockedTerm({ userId, term: request.p_term }));
  }

  @Rpc('remove_own_blocked_term_by_jwt', signedIn('allow a word', RATE_LIMITS.creatorData))
  async removeBlockedTerm(@CurrentUser() { userId }: Principal, @Body() request: RemoveTermRequest): Promise<Success> {
    await this.commands.execute(new RemoveBlockedTerm({ userId, termId: request.p_term_id }));
    return { success: true };
  }

  @Rpc('get_own_payout_details_by_jwt', signedIn('read your payout details', RATE_LIMITS.creatorData))
  async payoutDetails(@CurrentUser() { userId }: Principal): Promise<PayoutDetails[]> {
    const details = await this.queries.execute(new GetOwnPayoutDetails({ userId }));
    return details ? [details] : [];
  }

  @Rpc('save_own_payout_details_by_jwt', signedIn('change your payout details', RATE_LIMITS.financialOps))
  async savePayoutDetails(
    @CurrentUser() { userId }: Principal,
    @Body() request: PayoutDetailsRequest,
  ): Promise<PayoutDetails> {
    const { p_legal_name: legal_name, p_country: country, p_account: account, p_tax_status: tax_status } = request;
    await this.commands.execute(
      new SavePayoutDetails({ userId, fields: { legal_name, country, account, tax_status } }),
    );
    const details = await this.queries.execute(new GetOwnPayoutDetails({ userId }));
    if (!details) throw new Error('The payout details that were saved are missing.');
    return details;
  }
}

import { Body, Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { AccountClosureRequest, CloseAccountRequest, ClosingReceiptRequest } from '../../../contract/calls/closing.js';
import {
  type AccountClosing,
  type AccountClosure,
  CLOSING_MESSAGES,
  type CloseAccountResponse,
  type ClosingReceipt,
} from '../../../contract/closing.js';
import { RATE_LIMITS } from '../../../contract/rate-limits.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { CurrentUser, Rpc, signedIn } from '../../../platform/http/routes.js';
import { type Principal } from '../../../platform/principal.js';
import { GetAccountClosing } from '../reads/get-account-closing.js';
import { GetAccountClosure } from '../reads/get-account-closure.js';
import { GetClosingReceipt } from '../reads/get-closing-receipt.js';
import { toReceipt } from '../receipt.js';
import { CloseAccount } from '../use-cases/close-account.js';

/** Closing an account: the preview, the order, and the proof. */
@Controller()
export class ClosingController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Rpc('get_account_closing', signedIn('close an account', RATE_LIMITS.dataFetch))
  async preview(@CurrentUser() { userId }: Principal): Promise<AccountClosing> {
    return this.queries.execute(new GetAccountClosing({ userId }));
  }

  @Rpc('close_account', signedIn('close an account', RATE_LIMITS.financialOps))
  async close(
    @CurrentUser() { userId }: Principal,
    @Body() request: CloseAccountRequest,
  ): Promise<CloseAccountResponse> {
    const { p_choice: choice = 'refund', p_confirmation: confirmation } = request;
    const { closure, receiptToken } = await this.commands.execute(new CloseAccount({ userId, choice, confirmation }));
    return { success: true, receipt_token: receiptToken, receipt: toReceipt(closure) };
  }

  @Rpc('get_closing_receipt', { access: 'public', limit: RATE_LIMITS.publicData })
  async receipt(@Body() request: ClosingReceiptRequest): Promise<ClosingReceipt> {
    const receipt = await this.queries.execute(new GetClosingReceipt({ token: request.p_receipt_token }));
    if (!receipt) throw new ApiError(404, CLOSING_MESSAGES.receiptNotFound);
    return receipt;
  }

  @Rpc('get_account_closure', { access: 'admin', limit: RATE_LIMITS.dataFetch })
  async closure(@Body() request: AccountClosureRequest): Promise<AccountClosure> {
    const closure = await this.queries.execute(new GetAccountClosure({ userId: request.p_user_id }));
    if (!closure) throw new ApiError(404, CLOSING_MESSAGES.notClosing);
    return closure;
  }
}

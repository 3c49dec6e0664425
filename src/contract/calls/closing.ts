import { IsIn } from 'class-validator';
import {
  type AccountClosing,
  type AccountClosure,
  type CloseAccountResponse,
  CLOSING_CHOICES,
  type ClosingChoice,
  type ClosingReceipt,
} from '../closing.js';
import { type NoParameters } from '../scalars.js';
import { ID_LENGTH, IsText, Optional } from './fields.js';

export class CloseAccountRequest {
  /** Default: `refund`. It also decides about a payment that arrives later. The first call of an account decides. */
  @Optional(IsIn(CLOSING_CHOICES))
  p_choice?: ClosingChoice;

  /** The word `CLOSE`. */
  @IsText(100)
  p_confirmation!: string;
}

export class ClosingReceiptRequest {
  @IsText(100)
  p_receipt_token!: string;
}

export class AccountClosureRequest {
  @IsText(ID_LENGTH)
  p_user_id!: string;
}

export interface ClosingCalls {
  /** Preview of closing the caller's account, and the state of its closure. */
  get_account_closing: { request: NoParameters; response: AccountClosing };
  /** Closes the caller's account and erases its data. It cannot be undone. */
  close_account: { request: CloseAccountRequest; response: CloseAccountResponse };
  /** The receipt of a closure, for the owner of its token. */
  get_closing_receipt: { request: ClosingReceiptRequest; response: ClosingReceipt };
  /** The closure of a user's account, for admins. */
  get_account_closure: { request: AccountClosureRequest; response: AccountClosure };
}

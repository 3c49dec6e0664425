import { CanAffordHandler } from './can-afford.js';
import { CountTransactionsHandler } from './count-transactions.js';
import { GetAccountForAdminsHandler } from './get-account-for-admins.js';
import { GetCreditBreakdownHandler } from './get-credit-breakdown.js';
import { GetDeductionStatusHandler } from './get-deduction-status.js';
import { GetPurchaseHandler } from './get-purchase.js';
import { GetTransactionsHandler } from './get-transactions.js';
import { GetUnspentPurchasesHandler } from './get-unspent-purchases.js';
import { ListAccountHistoryHandler } from './list-account-history.js';
import { ListHoldersOfPaidCreditsHandler } from './list-holders-of-paid-credits.js';
import { ListProposalsHandler } from './list-proposals.js';
import { ListUnerasedProposalsHandler } from './list-unerased-proposals.js';

export const READS = [
  GetCreditBreakdownHandler,
  GetTransactionsHandler,
  CountTransactionsHandler,
  CanAffordHandler,
  GetDeductionStatusHandler,
  GetPurchaseHandler,
  GetUnspentPurchasesHandler,
  ListHoldersOfPaidCreditsHandler,
  GetAccountForAdminsHandler,
  ListAccountHistoryHandler,
  ListProposalsHandler,
  ListUnerasedProposalsHandler,
];

// Each export is a provider of the module: export nothing else here.
export {
  GetAccountBalanceAtHandler,
  GetAccountStatementHandler,
  ListLedgerAccountsHandler,
} from './account-statement.js';
export { ExportLedgerEventsHandler, FindLedgerEventsHandler, GetAccountEventHandler } from './ledger-events.js';
export { GetLedgerProofHandler, GetLedgerSealHandler, ListLedgerSealsHandler } from './ledger-seals.js';
export { GetLedgerVerificationHandler, ListVerificationRunsHandler } from './ledger-verification.js';

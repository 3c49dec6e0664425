/**
 * What other contexts may use of the credit ledger: send these through `CommandBus` and `QueryBus`.
 * Every command is idempotent by its business id; repeating one changes nothing and answers as the first time did.
 */
export * from './use-cases/commands.js';
export * from './reads/queries.js';
/** The events of accounts, for projections of them. `docs/events.md` is the catalogue. */
export {
  ACCOUNT_STREAM_PREFIX,
  accountStream,
  readCreditEvent,
  userOfStream,
  type CreditEvent,
} from './account/events.js';
/** For the command line, which makes it anew. */
export { accountProjection } from './reads/account-projection.js';

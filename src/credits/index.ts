/**
 * What other contexts may use of the credit ledger: send these through `CommandBus` and `QueryBus`.
 * Every command is idempotent by its business id; repeating one changes nothing and answers as the first time did.
 */
export * from './commands.js';
export * from './queries.js';

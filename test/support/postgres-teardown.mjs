/** Jest's global teardown for `postgres-setup.mjs`. */
export { stopPostgres as default } from './postgres-setup.mjs';

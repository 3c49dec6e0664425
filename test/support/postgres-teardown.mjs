/** Jest's global teardown beside `postgres-setup.mjs`. */
export { stopPostgres as default } from './postgres-setup.mjs';

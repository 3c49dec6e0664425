/** Jest's global teardown for `seed-setup.mjs`. */
export { stopSharedApps as default } from './seed-setup.mjs';

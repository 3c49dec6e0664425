/**
 * Changes of `npm run mutate -- --rules` and `--sample` that mean the same, so that no test can find them.
 *
 * @typedef {object} EquivalentMutant
 * @property {string} file
 * @property {string} from the changed code as the report prints it
 * @property {string} [to] what replaces it; nothing if not given
 * @property {string} [line] a part of its line, if the file contains the code more than once
 * @property {string} reason
 */

/** @type {EquivalentMutant[]} */
export const EQUIVALENT = [];

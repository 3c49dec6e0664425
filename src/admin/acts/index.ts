/** The log of acts for other contexts. Entries are written through `platform/acts`. */
export { ListActs } from './reads/list-acts.js';

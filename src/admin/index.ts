/** For the frame of the pages. */
export { GetAdminCounts } from './reads/get-counts.js';

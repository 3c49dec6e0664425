/** Other contexts send these commands and queries through the buses. */
export { AddApprovedCreator } from './use-cases/add-approved-creator.js';
export { type Creator, type CreatorForUser } from './reads/creator.js';
export { DeleteExpiredPayoutRecords } from './use-cases/delete-expired-payout-records.js';
export { EraseCreator } from './use-cases/erase-creator.js';
export { CloseCreator } from './use-cases/close-creator.js';
export { ContinueStyleChange } from './use-cases/continue-style-change.js';
export { CountBlockedPrompt } from './use-cases/count-blocked-prompt.js';
export { ListStyleChanges, type StyleChange } from './reads/list-style-changes.js';
export { GetOwnPayoutDetails } from './reads/get-own-payout-details.js';
export { GetCreator } from './reads/get-creator.js';
export { type CreatorReference, GetCreatorForUser } from './reads/get-creator-for-user.js';
export { GetCreatorProfile } from './reads/get-creator-profile.js';
export { GetCreators } from './reads/get-creators.js';
export { GetOwnCreator } from './reads/get-own-creator.js';
export { ListUsedPortraits } from './reads/list-used-portraits.js';
export { ListWithdrawals } from './reads/list-withdrawals.js';
export { GetPublicCreators } from './reads/get-public-creators.js';

/** Other contexts send `GetUser` through the query bus. The caller is a `Principal` of the platform. */
export { createClerk } from './providers/clerk.js';
export { clerkPageSources } from './providers/clerk-page-sources.js';
export { deletedUserIsDue, ListDeletedUsers } from './reads/list-deleted-users.js';
export { DeleteUser } from './use-cases/delete-user.js';
export { NoteClosing } from './use-cases/note-closing.js';
export { GetUser } from './reads/get-user.js';
export { IsVerifiedAddress } from './reads/is-verified-address.js';
export { suspendedError } from './suspended-error.js';

/** Other contexts send these commands and queries through the buses. */
export { GetPublicPage } from './reads/get-public-page.js';
export { TakeOutOfGalleries } from './use-cases/take-out-of-galleries.js';
export { GalleryConflictError, SaveGallery } from './use-cases/save-gallery.js';
export { ChangeSetAside } from './use-cases/change-set-aside.js';
export { SEALED_GALLERY } from './gallery-record.js';

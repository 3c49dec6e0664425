/** What others may use of the galleries: send these through the buses. */
export { GetPageHead } from './reads/get-page-head.js';
export { GalleryConflictError, SaveGallery } from './use-cases/save-gallery.js';

// Each export is a provider of the module: export nothing else here.
export { AddToGalleryHandler } from './add-to-gallery.js';
export { ChangeSetAsideHandler } from './change-set-aside.js';
export { DeleteCreationHandler } from './delete-creation.js';
export { HideCreationHandler } from './hide-creation.js';
export { HideFromOwnGalleryHandler } from './hide-from-own-gallery.js';
export { RemoveFromGalleryHandler } from './remove-from-gallery.js';
export { ReorderGalleryHandler } from './reorder-gallery.js';
export { RequestTakeDownHandler } from './request-take-down.js';
export { SaveGalleryHandler } from './save-gallery.js';
export { TakeBackTakeDownHandler } from './take-back-take-down.js';
export { TakeOutOfGalleriesHandler } from './take-out-of-galleries.js';

// Each export is a provider of the module: export nothing else here.
export { GetAdminGenerationHandler, ListAdminGenerationsHandler } from './admin-generations.js';
export { GetAdminGalleryHandler } from './get-admin-gallery.js';
export { GetPublicPageHandler } from './get-public-page.js';
export { ListGalleryHandler } from './list-gallery.js';
export { ListOwnStyleHandler } from './list-own-style.js';
export { ListPublicPathsHandler } from './list-public-paths.js';
export { GetPublicCreatorHandler, ListPublicCreatorsHandler } from './public-creators.js';
export { SearchPicturesHandler } from './search-pictures.js';

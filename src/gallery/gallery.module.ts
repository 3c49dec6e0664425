import { Module } from '@nestjs/common';
import { CreationsController } from './http/creations.controller.js';
import { GalleryController } from './http/gallery.controller.js';
import { GalleryAdminController } from './http/gallery-admin.controller.js';
import { GetAdminGenerationHandler, ListAdminGenerationsHandler } from './reads/admin-generations.js';
import { GetAdminGalleryHandler } from './reads/get-admin-gallery.js';
import { AddToGalleryHandler } from './use-cases/add-to-gallery.js';
import { RemoveFromGalleryHandler } from './use-cases/remove-from-gallery.js';
import { ReorderGalleryHandler } from './use-cases/reorder-gallery.js';
import { SitemapController } from './http/sitemap.controller.js';
import { GetPublicPageHandler } from './reads/get-public-page.js';
import { ListGalleryHandler } from './reads/list-gallery.js';
import { ListPublicPathsHandler } from './reads/list-public-paths.js';
import { GetPublicCreatorHandler, ListPublicCreatorsHandler } from './reads/public-creators.js';
import { SearchPicturesHandler } from './reads/search-pictures.js';
import { ChangeSetAsideHandler } from './use-cases/change-set-aside.js';
import { DeleteCreationHandler } from './use-cases/delete-creation.js';
import { HideCreationHandler } from './use-cases/hide-creation.js';
import { SaveGalleryHandler } from './use-cases/save-gallery.js';
import { TakeOutOfGalleriesHandler } from './use-cases/take-out-of-galleries.js';
import { TakeDownsController } from './http/take-downs.controller.js';
import { ListOwnStyleHandler } from './reads/list-own-style.js';
import { GalleryRecord } from './gallery-record.js';
import { SetAside } from './set-aside.js';
import { HideFromOwnGalleryHandler } from './use-cases/hide-from-own-gallery.js';
import { RequestTakeDownHandler } from './use-cases/request-take-down.js';
import { TakeBackTakeDownHandler } from './use-cases/take-back-take-down.js';
import { TakeOutOfGalleryHandler } from './use-cases/take-out-of-gallery.js';

/** Curated galleries, and what the public sees of creators and pictures. */
@Module({
  controllers: [GalleryController, SitemapController, CreationsController, TakeDownsController, GalleryAdminController],
  providers: [
    ChangeSetAsideHandler,
    DeleteCreationHandler,
    GetPublicPageHandler,
    GetPublicCreatorHandler,
    HideCreationHandler,
    ListGalleryHandler,
    ListPublicCreatorsHandler,
    ListPublicPathsHandler,
    SaveGalleryHandler,
    SearchPicturesHandler,
    AddToGalleryHandler,
    RemoveFromGalleryHandler,
    ReorderGalleryHandler,
    GetAdminGalleryHandler,
    GetAdminGenerationHandler,
    ListAdminGenerationsHandler,
    GalleryRecord,
    SetAside,
    ListOwnStyleHandler,
    HideFromOwnGalleryHandler,
    RequestTakeDownHandler,
    TakeBackTakeDownHandler,
    TakeOutOfGalleryHandler,
    TakeOutOfGalleriesHandler,
  ],
})
export class GalleryModule {}

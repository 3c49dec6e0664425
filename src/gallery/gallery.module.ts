import { Module } from '@nestjs/common';
import { CreationsController } from './http/creations.controller.js';
import { GalleryController } from './http/gallery.controller.js';
import { SitemapController } from './http/sitemap.controller.js';
import { GetPageHeadHandler } from './reads/get-page-head.js';
import { ListGalleryHandler } from './reads/list-gallery.js';
import { ListPublicPathsHandler } from './reads/list-public-paths.js';
import { GetPublicCreatorHandler, ListPublicCreatorsHandler } from './reads/public-creators.js';
import { DecideReportHandler } from './use-cases/decide-report.js';
import { DeleteCreationHandler } from './use-cases/delete-creation.js';
import { HideCreationHandler } from './use-cases/hide-creation.js';
import { SaveGalleryHandler } from './use-cases/save-gallery.js';
import { TakeOutOfGalleriesHandler } from './use-cases/take-out-of-galleries.js';
import { TakeDownsController } from './http/take-downs.controller.js';
import { ListOwnStyleHandler } from './reads/list-own-style.js';
import { SetAside } from './set-aside.js';
import { HideFromOwnGalleryHandler } from './use-cases/hide-from-own-gallery.js';
import { RequestTakeDownHandler } from './use-cases/request-take-down.js';
import { ResolveTakeDownHandler } from './use-cases/resolve-take-down.js';
import { TakeBackTakeDownHandler } from './use-cases/take-back-take-down.js';
import { TakeOutOfGalleryHandler } from './use-cases/take-out-of-gallery.js';

/** Curated galleries, and what the public sees of creators and pictures. */
@Module({
  controllers: [GalleryController, SitemapController, CreationsController, TakeDownsController],
  providers: [
    DecideReportHandler,
    DeleteCreationHandler,
    GetPageHeadHandler,
    GetPublicCreatorHandler,
    HideCreationHandler,
    ListGalleryHandler,
    ListPublicCreatorsHandler,
    ListPublicPathsHandler,
    SaveGalleryHandler,
    SetAside,
    ListOwnStyleHandler,
    HideFromOwnGalleryHandler,
    RequestTakeDownHandler,
    ResolveTakeDownHandler,
    TakeBackTakeDownHandler,
    TakeOutOfGalleryHandler,
    TakeOutOfGalleriesHandler,
  ],
})
export class GalleryModule {}

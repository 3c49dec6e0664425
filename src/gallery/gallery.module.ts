import { Module } from '@nestjs/common';
import { CreationsController } from './http/creations.controller.js';
import { GalleryController } from './http/gallery.controller.js';
import { GalleryAdminController } from './http/gallery-admin.controller.js';
import { SitemapController } from './http/sitemap.controller.js';
import { TakeDownsController } from './http/take-downs.controller.js';
import { GalleryRecord } from './gallery-record.js';
import { SetAside } from './set-aside.js';
import * as useCases from './use-cases/handlers.js';
import * as reads from './reads/handlers.js';

/** Curated galleries, and what the public sees of creators and pictures. */
@Module({
  controllers: [GalleryController, SitemapController, CreationsController, TakeDownsController, GalleryAdminController],
  providers: [GalleryRecord, SetAside, ...Object.values(useCases), ...Object.values(reads)],
})
export class GalleryModule {}

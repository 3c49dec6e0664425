import { Module } from '@nestjs/common';
import { CreationsController } from './http/creations.controller.js';
import { GalleryController } from './http/gallery.controller.js';
import { SaveGalleryHandler } from './use-cases/save-gallery.js';
import { SharePages } from './reads/share-pages.js';
import { SitemapController } from './http/sitemap.controller.js';
import { GalleryTakeOut } from './use-cases/take-out.js';

@Module({
  controllers: [GalleryController, SitemapController, CreationsController],
  providers: [SaveGalleryHandler, SharePages, GalleryTakeOut],
})
export class GalleryModule {}

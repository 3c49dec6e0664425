import { Module } from '@nestjs/common';
import { CreationsController } from './creations.controller.js';
import { GalleryController } from './gallery.controller.js';
import { SaveGalleryHandler } from './save-gallery.js';
import { SharePages } from './share-pages.js';
import { SitemapController } from './sitemap.controller.js';
import { GalleryTakeOut } from './take-out.js';

@Module({
  controllers: [GalleryController, SitemapController, CreationsController],
  providers: [SaveGalleryHandler, SharePages, GalleryTakeOut],
})
export class GalleryModule {}

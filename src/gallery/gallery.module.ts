import { Module } from '@nestjs/common';
import { GalleryController } from './gallery.controller.js';
import { SaveGalleryHandler } from './save-gallery.js';

@Module({ controllers: [GalleryController], providers: [SaveGalleryHandler] })
export class GalleryModule {}

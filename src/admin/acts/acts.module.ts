import { Module } from '@nestjs/common';
import { ActsController } from './http/acts.controller.js';
import { ListActorsHandler } from './reads/list-actors.js';
import { ListActsHandler } from './reads/list-acts.js';
import { ExportActsHandler } from './use-cases/export-acts.js';
import { ActReconciler } from './workers/act-reconciler.js';

/** The log of acts for people: lists, export, and the worker that ends open acts. */
@Module({
  controllers: [ActsController],
  providers: [ActReconciler, ExportActsHandler, ListActorsHandler, ListActsHandler],
})
export class ActsModule {}

import { Module, type OnModuleInit } from '@nestjs/common';
import { ProjectionRunner } from '../platform/projections/projection-runner.js';
import { GetCreatorRevenueHandler } from './reads/get-creator-revenue.js';
import { revenueProjection } from './reads/revenue-projection.js';
import { RevenueController } from './http/revenue.controller.js';

/** The earnings of creators: a projection of the credit ledger. */
@Module({ controllers: [RevenueController], providers: [GetCreatorRevenueHandler] })
export class RevenueModule implements OnModuleInit {
  constructor(private readonly projections: ProjectionRunner) {}

  onModuleInit(): void {
    this.projections.register(revenueProjection);
  }
}

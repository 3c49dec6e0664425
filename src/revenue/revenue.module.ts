import { Module, type OnModuleInit } from '@nestjs/common';
import { EventStore } from '../platform/event-store/event-store.js';
import { ProjectionRunner } from '../platform/projections/projection-runner.js';
import { GetCreatorRevenueHandler } from './reads/get-creator-revenue.js';
import { policyRules, revenueProjection } from './reads/revenue-projection.js';
import { RevenueController } from './http/revenue.controller.js';

/** The earnings of creators: a projection of the credit ledger. */
@Module({ controllers: [RevenueController], providers: [GetCreatorRevenueHandler] })
export class RevenueModule implements OnModuleInit {
  constructor(
    private readonly projections: ProjectionRunner,
    private readonly eventStore: EventStore,
  ) {}

  onModuleInit(): void {
    this.projections.register(revenueProjection(policyRules(this.eventStore)));
  }
}

import { Module, type OnModuleInit } from '@nestjs/common';
import { EventStore } from '../platform/event-store/event-store.js';
import { ProjectionRunner } from '../platform/projections/projection-runner.js';
import { activityProjection } from './reads/activity-projection.js';
import { GetCreatorAnalyticsHandler, GetCreatorHistoryHandler } from './reads/get-creator-analytics.js';
import { GetCreatorStatementHandler } from './reads/get-creator-statement.js';
import { GetImageEarningHandler } from './reads/get-image-earning.js';
import { HasEarningsHandler } from './reads/has-earnings.js';
import { ExportCreatorEarningsHandler, ListCreatorEarningsHandler } from './reads/list-creator-earnings.js';
import { policyRules, revenueProjection } from './reads/revenue-projection.js';

/** The earnings of creators: projections of the credit ledger. */
@Module({
  providers: [
    ExportCreatorEarningsHandler,
    GetCreatorAnalyticsHandler,
    GetCreatorHistoryHandler,
    GetCreatorStatementHandler,
    GetImageEarningHandler,
    HasEarningsHandler,
    ListCreatorEarningsHandler,
  ],
})
export class RevenueModule implements OnModuleInit {
  constructor(
    private readonly projections: ProjectionRunner,
    private readonly eventStore: EventStore,
  ) {}

  onModuleInit(): void {
    const rules = policyRules(this.eventStore);
    this.projections.register(revenueProjection(rules));
    this.projections.register(activityProjection(rules));
  }
}

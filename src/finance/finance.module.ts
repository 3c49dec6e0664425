import { Module, type OnModuleInit } from '@nestjs/common';
import { EventStore } from '../platform/event-store/event-store.js';
import { ProjectionRunner } from '../platform/projections/projection-runner.js';
import { policyRules } from '../revenue/index.js';
import { booksProjection } from './reads/books-projection.js';

/** The books: a double-entry journal as a projection of the credit ledger. */
@Module({})
export class FinanceModule implements OnModuleInit {
  constructor(
    private readonly projections: ProjectionRunner,
    private readonly eventStore: EventStore,
  ) {}

  onModuleInit(): void {
    this.projections.register(booksProjection(policyRules(this.eventStore)));
  }
}

import { Query, QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type AdminCalls } from '../../contract/calls/admin.js';
import { type QueueKind } from '../../contract/admin.js';
import { ReadHandler } from '../../platform/messages.js';
import { type QueueRow, queuesAt } from './queues.js';

type Counts = AdminCalls['get_admin_counts']['response'];

/** Counts of the places in the navigation of the admin area. */
export class GetAdminCounts extends Query<Counts> {}

@QueryHandler(GetAdminCounts)
export class GetAdminCountsHandler extends ReadHandler<unknown, GetAdminCounts> {
  async execute(): Promise<Counts> {
    const cases = ['urgent_reports', 'reports', 'take_downs', 'refused_prompts'] as const;
    const kinds = [...cases, 'applications', 'without_model'] as const;
    const { rows } = await sql<QueueRow>`${queuesAt(this.clock.now(), kinds)}`.execute(this.db);
    const queue = (kind: QueueKind): QueueRow | undefined => rows.find((row) => row.kind === kind);
    const count = (kind: QueueKind): number => queue(kind)?.count ?? 0;
    return {
      applications: count('applications') + count('without_model'),
      reports: cases.reduce((sum, kind) => sum + count(kind), 0),
      urgent: count('urgent_reports') + (queue('take_downs')?.overdue ?? 0),
    };
  }
}

import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { COUNTED_TO } from '../../contract/limits.js';
import { type AdminTransaction } from '../../contract/admin-users.js';
import { DATABASE } from '../../platform/database/database.js';
import { EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';
import { accountError } from '../account/errors.js';
import { accountStream, readCreditEvent, type Allocation } from '../account/events.js';
import { type CreditTables } from '../tables.js';

/**
 * A page of an account's transactions with their events and kinds of credit, the latest first.
 * @throws AccountDeletedError when the stream was deleted
 */
export class ListAccountHistory extends Query<AdminTransaction[]> {
  constructor(readonly input: { readonly userId: string; readonly limit: number; readonly offset: number }) {
    super();
  }
}

@QueryHandler(ListAccountHistory)
export class ListAccountHistoryHandler implements IQueryHandler<ListAccountHistory> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreditTables>,
    private readonly eventStore: EventStore,
  ) {}

  async execute({ input: { userId, limit, offset } }: ListAccountHistory): Promise<AdminTransaction[]> {
    const rows = await this.db
      .selectFrom('credit_transaction')
      .selectAll()
      .select(
        sql<number>`(select count(*)::int from (
          select from credit_transaction where user_id = ${userId} limit ${COUNTED_TO}) as counted)`.as('total_count'),
      )
      .where('user_id', '=', userId)
      .orderBy('version', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    const kinds = await this.kindsOf(
      userId,
      rows.map(({ version }) => version),
    );
    return rows.map(({ user_id: _user, created_at, creator_id, id, version, ...row }) => ({
      ...row,
      id,
      version,
      event_id: id,
      created_at: created_at.toISOString(),
      kind: kinds.get(version) ?? null,
      metadata: creator_id === null ? {} : { creator_id },
    }));
  }

  /** The kinds of credit that the events of these versions moved. The page is one range of the stream. */
  private async kindsOf(userId: string, versions: readonly number[]): Promise<Map<number, AdminTransaction['kind']>> {
    const last = versions.at(0);
    const first = versions.at(-1);
    if (last === undefined || first === undefined) return new Map();
    const events = await this.eventStore
      .readStream(accountStream(userId), { fromVersion: first, limit: last - first + 1 })
      .catch((error: unknown) => {
        throw accountError(error);
      });
    return new Map(events.map((event) => [event.version, kindOf(event)]));
  }
}

/** The kind of credit that an event moved; null when it moved none. */
function kindOf(stored: StoredEvent): AdminTransaction['kind'] {
  const event = readCreditEvent(stored);
  switch (event.type) {
    case 'CreditsGranted':
    case 'CreditsExpired':
      return event.data.kind;
    case 'CreditsPurchased':
    case 'PurchaseReversed':
    case 'PurchaseReinstated':
      return 'paid';
    case 'CreditsDeducted':
    case 'CreditsAdjusted':
    case 'CreditsWaived':
      return mixOf(event.data.allocations);
    case 'CreditsRefunded':
      return mixOf(event.data.restorations);
    default:
      return null;
  }
}

function mixOf(allocations: readonly Allocation[]): AdminTransaction['kind'] {
  const kinds = new Set(allocations.map(({ kind }) => kind));
  return kinds.size > 1 ? 'mixed' : ([...kinds][0] ?? null);
}

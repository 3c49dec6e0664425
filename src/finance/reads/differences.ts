import { Query, QueryHandler } from '@nestjs/cqrs';
import { type Difference, type Differences } from '../../contract/reconciliation.js';
import { FindPaymentStates, type PaymentState } from '../../payments/index.js';
import { type PageAfter, QueryOf, ReadHandler } from '../../platform/messages.js';
import { DomainError } from '../../platform/domain-error.js';
import { wireFields } from '../../platform/wire-fields.js';
import { movementOf, needOf } from '../processor/differences.js';
import { PROCESSOR_STREAM } from '../processor/events.js';
import { type FinanceTables } from '../tables.js';
import { countOpen, type DifferenceCursor, type DifferenceRow, readDifferences } from './difference-rows.js';
import { type AskedPeriod, beginningsOf, checkedDays } from './reconciliation.js';

/** The differences that began in a period, the latest first, with what each needs. @param input `after`: an id */
export class ListDifferences extends QueryOf<AskedPeriod & PageAfter<string>, Differences> {}

@QueryHandler(ListDifferences)
export class ListDifferencesHandler extends ReadHandler<FinanceTables, ListDifferences> {
  /** @throws DomainError invalid for a wrong period or place */
  async execute({ input: { limit, after, ...asked } }: ListDifferences): Promise<Differences> {
    const now = this.clock.now();
    const period = checkedDays(asked, now, await beginningsOf(this.db));
    const rows = await readDifferences(this.db, period, { after: cursorOf(after), limit: limit + 1 });
    const shown = rows.slice(0, limit);
    const states = await this.queries.execute(
      new FindPaymentStates(
        shown.map((row) => ({
          key: idOf(row),
          sessionId: row.session_id,
          paymentIntentId: row.payment_intent_id,
          objectId: row.source_id ?? row.reversal_id,
          orderId: row.order_id ?? row.reversal_id,
        })),
      ),
    );
    const differences = shown.flatMap((row) => {
      const state = states.get(idOf(row));
      return state ? [toDifference(row, state, now)] : [];
    });
    return { differences, next: rows.length > limit ? (differences.at(-1)?.id ?? null) : null };
  }
}

/** The number of open differences of all time. */
export class CountOpenDifferences extends Query<number> {}

@QueryHandler(CountOpenDifferences)
export class CountOpenDifferencesHandler extends ReadHandler<FinanceTables, CountOpenDifferences> {
  async execute(): Promise<number> {
    return countOpen(this.db);
  }
}

function toDifference(row: DifferenceRow, state: PaymentState, now: Date): Difference {
  const kind = row.side === 'ledger' ? 'ours_only' : row.matched ? 'amounts' : 'theirs_only';
  const ageMs = now.getTime() - row.since.getTime();
  const need = needOf({ kind, transactionKind: row.kind, ended: row.ended_at !== null, ageMs }, state);
  const isRetried = need === 'retry' || need === 'admin_retry';
  return {
    id: idOf(row),
    kind,
    movement: movementOf(row.kind) ?? 'other',
    ...wireFields(row, ['since', 'processor_cents', 'ledger_cents']),
    difference_cents: row.processor_cents - row.ledger_cents,
    need,
    reason: state.problem,
    next_try_at: need === 'retry' ? (state.nextTryAt?.toISOString() ?? null) : null,
    next_try: state.tries + 1,
    can_retry: kind === 'theirs_only' && isRetried && state.sessionId !== null,
    session_id: row.session_id ?? state.sessionId,
    transaction_id: row.side === 'ledger' ? null : row.id,
    ...wireFields(row, ['payment_intent_id', 'source_id', 'reversal_id']),
    event_stream: row.user_id ?? PROCESSOR_STREAM,
    event_version: row.version,
    processor_url: state.url,
  };
}

function idOf({ since, id }: DifferenceCursor): string {
  return `${since.toISOString()}/${id}`;
}

const PLACE = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)\/([^\0]{1,300})$/;

/** @throws DomainError invalid */
function cursorOf(text: string | null): DifferenceCursor | null {
  if (text === null) return null;
  const [, time = '', id = ''] = PLACE.exec(text) ?? [];
  const since = new Date(time);
  if (Number.isNaN(since.getTime())) throw new DomainError('invalid', 'p_after must be the id of a difference');
  return { since, id };
}

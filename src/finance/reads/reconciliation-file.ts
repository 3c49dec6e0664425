import { type QueryBus } from '@nestjs/cqrs';
import { type Difference, type Differences, type Reconciliation } from '../../contract/reconciliation.js';
import { csvLine, dollars, knownDollars } from '../../platform/csv.js';
import { ListDifferences } from './differences.js';
import { type AskedPeriod, GetReconciliation } from './reconciliation.js';

/** Differences read at once. */
const DIFFERENCES_PER_READ = 200;

const HEAD = [
  ...['part', 'name', 'at', 'processor_count', 'processor_usd', 'ledger_count', 'ledger_usd', 'difference_usd'],
  ...['movement', 'needs', 'reason', 'session', 'transaction', 'payment', 'source', 'reversal', 'event'],
];

/**
 * All that the screen shows of a period, with ids: `sides` (both sides by kind), `balance` (the walk of the processor's
 * balance), `difference` (the latest first) and `day` (differences open at its end).
 * @throws DomainError invalid, before the first part
 */
export async function reconciliationFile(queries: QueryBus, asked: AskedPeriod): Promise<AsyncIterable<string>> {
  const found = await queries.execute(new GetReconciliation(asked));
  return linesOf(queries, found, asked);
}

async function* linesOf(queries: QueryBus, found: Reconciliation, asked: AskedPeriod): AsyncGenerator<string> {
  yield [csvLine(HEAD), ...sideLines(found), ...walkLines(found)].join('');
  let after: string | null = null;
  for (let more = true; more;) {
    const page: Differences = await queries.execute(
      new ListDifferences({ ...asked, limit: DIFFERENCES_PER_READ, after }),
    );
    yield page.differences.map(differenceLine).join('');
    after = page.next;
    more = after !== null;
  }
  yield found.days
    .map(({ day, open }) => line({ part: 'day', name: 'open', at: day, count: open ?? 'unknown' }))
    .join('');
}

interface Cells {
  readonly part: string;
  readonly name: string;
  readonly at?: string | null;
  readonly count?: number | string | null;
  readonly processor?: string;
  readonly ledgerCount?: number;
  readonly ledger?: string;
  readonly difference?: string;
  readonly rest?: readonly (string | null)[];
}

function line({ part, name, at, count, processor, ledgerCount, ledger, difference, rest = [] }: Cells): string {
  return csvLine([
    ...[part, name, at ?? null, count ?? null, processor ?? null, ledgerCount ?? null, ledger ?? null],
    ...[difference ?? null, ...rest, ...Array<null>(9 - rest.length).fill(null)],
  ]);
}

function sideLines(found: Reconciliation): string[] {
  const kinds = found.kinds.map((kind) =>
    line({
      part: 'sides',
      name: kind.kind,
      at: found.compared_to,
      count: kind.processor_count,
      processor: dollars(kind.processor_cents),
      ledgerCount: kind.ledger_count,
      ledger: dollars(kind.ledger_cents),
      difference: dollars(kind.difference_cents),
    }),
  );
  const net = {
    processor: dollars(found.processor_cents),
    ledger: dollars(found.ledger_cents),
    difference: dollars(found.difference_cents),
  };
  return [...kinds, line({ part: 'sides', name: 'net', at: found.compared_to, ...net })];
}

function walkLines({ from, to, at, walk }: Reconciliation): string[] {
  const end = to < at ? to : at;
  const steps: [string, string, number | null][] = [
    ['opening', from, walk?.opening_cents ?? null],
    ['payments', end, walk?.payments_cents ?? null],
    ['refunds', end, walk?.refunds_cents ?? null],
    ['disputes', end, walk?.disputes_cents ?? null],
    ['fees', end, walk?.fees_cents ?? null],
    ['bank', end, walk?.bank_cents ?? null],
    ['other', end, walk?.other_cents ?? null],
    ['other_shops', end, walk?.other_shops_cents ?? null],
    ['closing', end, walk?.closing_cents ?? null],
  ];
  return steps.map(([name, time, cents]) => line({ part: 'balance', name, at: time, processor: knownDollars(cents) }));
}

function differenceLine(difference: Difference): string {
  const { kind, since, movement, need, reason } = difference;
  return line({
    part: 'difference',
    name: kind,
    at: since,
    processor: dollars(difference.processor_cents),
    ledger: dollars(difference.ledger_cents),
    difference: dollars(difference.difference_cents),
    rest: [
      ...[movement, need, reason, difference.session_id, difference.transaction_id, difference.payment_intent_id],
      ...[difference.source_id, difference.reversal_id, `${difference.event_stream}:${difference.event_version}`],
    ],
  });
}

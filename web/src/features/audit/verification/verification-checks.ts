import type { ProblemKind, VerificationResult } from '../../../../../src/contract/audit.js';
import { counted } from '../../../lib/format.js';

type CheckName = 'Chain' | 'Rules' | 'Projections' | 'Generations' | 'Checkouts' | 'Payouts' | 'Seals and log';

/** A check of a full verification, as a row of its table. */
export interface CheckRow {
  readonly name: CheckName;
  /** The two sides, as a sentence without its end. */
  readonly compares: string;
  /** How much was compared. */
  readonly compared: string;
  readonly problems: number;
}

/** The check that finds problems of a kind. */
const CHECK_OF: Readonly<Record<ProblemKind, CheckName>> = {
  chain: 'Chain',
  version: 'Chain',
  position: 'Chain',
  time: 'Chain',
  event: 'Rules',
  lot: 'Rules',
  deduction: 'Rules',
  purchase: 'Rules',
  conservation: 'Rules',
  policy: 'Rules',
  act: 'Rules',
  projection: 'Projections',
  generation: 'Generations',
  payment: 'Checkouts',
  payout: 'Payouts',
  earning: 'Payouts',
  processor: 'Payouts',
  log: 'Seals and log',
  seal: 'Seals and log',
  export: 'Seals and log',
};

/** Rows of projections in words, in the order of the table. */
const ROWS: readonly (readonly [projection: string, text: string])[] = [
  ['credit_account', 'of accounts'],
  ['creator_revenue', 'of earnings'],
  ['creator_activity', 'of activity'],
  ['books', 'of the books'],
  ['payouts', 'of payouts'],
  ['processor', 'of the processor'],
];

/** The checks of a full verification with their numbers. The problems of all checks are those of the run. */
export function checksOf({ seal, compared, problems_by_kind: byKind }: VerificationResult): CheckRow[] {
  const { account_events: accountEvents, policy_events: policyEvents, acts } = compared;
  const rows = ROWS.flatMap(([projection, text]) => {
    const found = compared.rows.find((each) => each.projection === projection)?.rows ?? 0;
    return found === 0 ? [] : [`${counted(found)} ${text}`];
  });
  const uncovered = (compared.uncovered ?? []).map((each) => `${counted(each.rows)} ${each.name}`);
  const without = uncovered.length === 0 ? '' : `; made before there were hashes: ${uncovered.join(', ')}`;
  const sealed = seal === null ? 'No seal' : `Seal ${seal.number} with ${counted(compared.sealed_streams, 'head')}`;
  const texts: Readonly<Record<CheckName, readonly [compares: string, compared: string]>> = {
    Chain: [
      'Versions without gaps, each hash from its content and the event before it',
      `${counted(compared.events, 'event')}, ${counted(compared.accounts, 'account')}`,
    ],
    Rules: [
      'A second fold, which shares nothing with the first, comes to the same; prices and acts allow it',
      `${counted(accountEvents, 'event')} of accounts, ${counted(policyEvents)} of the policy, ${counted(acts, 'act')}${without}`,
    ],
    Projections: [
      'Rows of the database against the events',
      rows.length === 0 ? 'No rows' : `Rows: ${rows.join(', ')}`,
    ],
    Generations: [
      'Delivered images are settled, failed ones are refunded',
      `${counted(compared.generations, 'image')}, ${counted(compared.open_generations)} being drawn`,
    ],
    Checkouts: [
      'Paid is in the ledger with the same credits and cents, and the other way round',
      counted(compared.checkouts, 'checkout'),
    ],
    Payouts: [
      'Shares of creators, payouts and the processor add up, each by its own fold',
      `Events: ${counted(compared.earning_events)} of earnings, ${counted(compared.payout_events)} of payouts, ${counted(compared.processor_events)} of the processor`,
    ],
    'Seals and log': [
      'Each sealed stream reaches the sealed version with the sealed hash; the public log has each event once',
      `${sealed}, chain of ${counted(compared.seals, 'seal')}, ${counted(compared.leaves, 'leaf', 'leaves')}, ${counted(compared.checkpoints, 'checkpoint')}`,
    ],
  };
  return (Object.entries(texts) as [CheckName, (typeof texts)[CheckName]][]).map(([name, [compares, text]]) => ({
    name,
    compares,
    compared: text,
    problems: byKind.reduce((sum, { kind, problems }) => (CHECK_OF[kind] === name ? sum + problems : sum), 0),
  }));
}

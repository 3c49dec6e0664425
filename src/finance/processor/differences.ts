import { DAY_MS } from '../../contract/durations.js';
import { type DifferenceKind, type DifferenceNeed, type MovementKind } from '../../contract/reconciliation.js';
import { type PaymentState } from '../../payments/index.js';
import { type TransactionKind } from './events.js';

const MOVEMENTS: Readonly<Partial<Record<TransactionKind, MovementKind>>> = {
  charge: 'payment',
  refund: 'refund',
  refundFailed: 'refund',
  dispute: 'dispute',
  disputeReversed: 'dispute_won',
  other: 'other',
};

/** The kind under which a transaction is compared; null: it is not compared, because the ledger never has it. */
export function movementOf(kind: TransactionKind): MovementKind | null {
  return MOVEMENTS[kind] ?? null;
}

/** Whether a transaction of this kind takes back what an earlier one did: a failed refund. It is no movement more. */
export function isReturn(kind: TransactionKind): boolean {
  return kind === 'refundFailed';
}

/** The hourly comparison of payments lists sessions that are younger than this (milliseconds). */
const SESSIONS_MS = 3 * DAY_MS;
/** The same of refunds and disputes. */
const REVERSALS_MS = 35 * DAY_MS;

/** A difference, as far as its need follows from it. */
export interface DifferenceFacts {
  readonly kind: DifferenceKind;
  readonly transactionKind: TransactionKind;
  /** True when the amounts of its payment, or of its reversal, add up to nothing. */
  readonly ended: boolean;
  /** Milliseconds. */
  readonly ageMs: number;
}

/**
 * The need of a difference, from the state of its payment. Nothing is ever written to the ledger to fit: a worker or an
 * admin settles the payment again, or a person returns the money.
 */
export function needOf(facts: DifferenceFacts, payment: PaymentState): DifferenceNeed {
  if (facts.ended) return 'nothing';
  if (facts.kind === 'amounts') return 'look_there';
  if (facts.kind === 'ours_only') return needOfOurs(payment);
  if (facts.transactionKind === 'charge') return needOfPayment(facts, payment);
  return facts.transactionKind === 'other' ? 'look_there' : needOfReversal(facts, payment);
}

function needOfOurs({ order }: PaymentState): DifferenceNeed {
  return order === 'reserving' || order === 'reserved' || order === 'releasing' ? 'retry' : 'look_there';
}

function needOfPayment({ ageMs }: DifferenceFacts, { status, problem, nextTryAt }: PaymentState): DifferenceNeed {
  if (status === 'credited') return 'next_run';
  if (problem !== null) return 'refund_there';
  if (nextTryAt !== null) return 'retry';
  if (status === null) return 'refund_there';
  // The comparison of payments settles open checkouts at any age.
  const isListed = ageMs < SESSIONS_MS || status === 'creating' || status === 'open' || status === 'processing';
  return isListed ? 'retry' : 'admin_retry';
}

function needOfReversal({ transactionKind, ageMs }: DifferenceFacts, payment: PaymentState): DifferenceNeed {
  const { status, problem, reversal, nextTryAt } = payment;
  if (problem !== null || status !== 'credited') return 'look_there';
  const returned = transactionKind === 'refund' || transactionKind === 'dispute';
  // Money that came back had been returned before.
  if (reversal === 'ended' || (reversal === 'stands' && returned)) return 'next_run';
  return nextTryAt !== null || ageMs < REVERSALS_MS ? 'retry' : 'admin_retry';
}

import type { LedgerVerification, VerificationResult, VerificationRun } from '../../src/contract/audit.js';

/** The continuous verification without a problem. */
export const CONTINUOUS: LedgerVerification = {
  verified_until: '2026-11-22T09:15:02.000Z',
  succeeded_at: '2026-11-22T09:16:38.000Z',
  events: 125_214,
  problems: 0,
  first: [],
};

/** The result of a full verification without a problem. */
export function runResult(fields: Partial<VerificationResult> = {}): VerificationResult {
  return {
    seal: { number: 295, started_at: '2026-11-22T00:00:07.000Z' },
    checkpoint_size: 125_200,
    compared: {
      accounts: 3_206,
      account_events: 108_300,
      events: 125_214,
      policy_events: 9,
      payout_events: 5,
      earning_events: 16_400,
      processor_events: 500,
      acts: 1,
      generations: 36_507,
      open_generations: 3,
      checkouts: 1_024,
      leaves: 125_214,
      checkpoints: 812,
      seals: 295,
      sealed_streams: 3_206,
      unsealed_events: 209,
      rows: [
        { projection: 'credit_account', rows: 92_526 },
        { projection: 'creator_revenue', rows: 16_367 },
        { projection: 'payouts', rows: 0 },
        { projection: 'log_leaf', rows: 125_214 },
      ],
    },
    problems_by_kind: [],
    first: [],
    ...fields,
  };
}

/** A full verification that has ended without a problem. */
export function endedRun(fields: Partial<VerificationRun> = {}): VerificationRun {
  return {
    id: 12,
    requested_at: '2026-11-22T09:15:01.000Z',
    requested_by: 'user_1',
    requested_by_name: 'Anders Wik',
    started_at: '2026-11-22T09:15:02.000Z',
    ended_at: '2026-11-22T09:16:38.000Z',
    events: 125_214,
    problems: 0,
    result: runResult(),
    failure: null,
    ...fields,
  };
}

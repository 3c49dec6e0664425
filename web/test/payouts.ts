import type {
  BankReport,
  CreatorPayout,
  CreatorPayouts,
  ListedPayoutFile,
  PayoutFiles,
  PayoutRunCreator,
  PayoutRunCreators,
  PayoutRunSums,
} from '../../src/contract/payouts.js';

/** A drafted run of three creators: two with a payout, one without payout details. */
export function payoutRun(fields: Partial<PayoutRunSums> = {}): PayoutRunSums {
  return {
    run_id: 'run-9',
    number: 9,
    cutoff: '2026-11-22T00:00:00.000Z',
    minimum_cents: 2_500,
    step: 'draft',
    working: false,
    drafted_by: 'user_sol',
    drafted_by_name: 'Sol Brandt',
    drafted_at: '2026-11-22T09:12:00.000Z',
    fixed_by: null,
    fixed_by_name: null,
    fixed_at: null,
    checked_by: null,
    checked_by_name: null,
    checked_at: null,
    cancelled_by: null,
    cancelled_by_name: null,
    cancelled_at: null,
    cancel_reason: null,
    files: 0,
    recorded_by: [],
    recorded_at: null,
    creators: 3,
    carried_out: 3,
    payouts: [{ state: 'drafted', payouts: 2, amount_cents: 29_950 }],
    skipped: [{ reason: 'no_details', creators: 1, amount_cents: 6_800 }],
    ...fields,
  };
}

/** The run after its check by another person. */
export const CHECKED_RUN = payoutRun({
  step: 'check',
  fixed_by: 'user_sol',
  fixed_by_name: 'Sol Brandt',
  fixed_at: '2026-11-22T09:20:00.000Z',
  checked_by: 'user_rui',
  checked_by_name: 'Rui Okafor',
  checked_at: '2026-11-22T09:30:00.000Z',
  payouts: [{ state: 'checked', payouts: 2, amount_cents: 29_950 }],
});

/** A creator of a run, with a payout. */
export function runCreator(fields: Partial<PayoutRunCreator> = {}): PayoutRunCreator {
  return {
    creator_id: 'creator-1',
    name: 'Juno Abara',
    username: 'junoabara',
    payable_cents: 20_050,
    paid_before_cents: 4_000,
    payout_id: 'payout-1',
    amount_cents: 16_050,
    state: 'drafted',
    skipped: null,
    left_out: null,
    file: null,
    taken_back_file: null,
    held_until: null,
    hold_reason: null,
    reference: 'F0123456789ABCDEF0123456789ABCDEF',
    bank_reference: null,
    paid_on: null,
    reason: null,
    ...fields,
  };
}

export const RUN_CREATORS: PayoutRunCreators = {
  creators: [
    runCreator(),
    runCreator({
      creator_id: 'creator-2',
      name: 'Rafa Quill',
      payout_id: 'payout-2',
      payable_cents: 13_900,
      paid_before_cents: 0,
      amount_cents: 13_900,
      reference: 'FFEDCBA9876543210FEDCBA9876543210',
    }),
    runCreator({
      creator_id: 'creator-3',
      name: 'Bibi Thorne',
      payable_cents: 6_800,
      paid_before_cents: 0,
      payout_id: null,
      amount_cents: null,
      state: null,
      skipped: 'no_details',
      reference: null,
      held_until: '2026-12-24T00:00:00.000Z',
      hold_reason: 'A dispute.',
    }),
  ],
  next: null,
};

/** A file for the bank that has both payouts. */
export function payoutFile(fields: Partial<ListedPayoutFile> = {}): ListedPayoutFile {
  return {
    file: 1,
    made_by: 'user_rui',
    made_by_name: 'Rui Okafor',
    made_at: '2026-11-22T09:35:00.000Z',
    payouts: 2,
    amount_cents: 29_950,
    due: 2,
    due_cents: 29_950,
    taken_back_by: null,
    taken_back_by_name: null,
    taken_back_at: null,
    taken_back_reason: null,
    ...fields,
  };
}

const FILES: PayoutFiles = { files: [], next: null };

/** A payout in the list of its creator. */
export function creatorPayout(fields: Partial<CreatorPayout> = {}): CreatorPayout {
  return {
    payout_id: 'payout-0',
    run_id: 'run-8',
    run_number: 8,
    state: 'paid',
    cutoff: '2026-10-01T00:00:00.000Z',
    payable_cents: 4_000,
    paid_before_cents: 0,
    amount_cents: 4_000,
    reference: 'F00',
    drafted_by: 'user_sol',
    drafted_at: '2026-10-01T09:00:00.000Z',
    fixed_at: '2026-10-01T09:10:00.000Z',
    checked_by: 'user_rui',
    checked_at: '2026-10-01T09:20:00.000Z',
    recorded_by: 'user_rui',
    recorded_by_name: 'Rui Okafor',
    bank_reference: 'SEPA-8',
    paid_on: '2026-10-03',
    ended_at: '2026-10-03T12:00:00.000Z',
    reason: null,
    ...fields,
  };
}

export const CREATOR_PAYOUTS: CreatorPayouts = {
  creator_id: 'creator-1',
  name: 'Juno Abara',
  username: 'junoabara',
  next: null,
  hold: {
    until: '2026-12-24T00:00:00.000Z',
    holds: true,
    held_by: 'user_rui',
    held_by_name: 'Rui Okafor',
    held_at: '2026-11-20T09:00:00.000Z',
    reason: 'A dispute.',
  },
  payouts: [creatorPayout(), creatorPayout({ payout_id: 'payout-x', state: 'failed', reason: 'AC04', run_number: 7 })],
};

/** A report of the bank with a refused line. */
export function bankReport(fields: Partial<BankReport> = {}): BankReport {
  return {
    report_id: 'a'.repeat(64),
    recorded_by: 'user_rui',
    recorded_by_name: 'Rui Okafor',
    done: true,
    recorded_at: '2026-11-22T10:00:00.000Z',
    lines: 2,
    recorded: 1,
    refused: 1,
    next: null,
    refusals: [
      {
        line: 2,
        reference: 'FFEDCBA9876543210FEDCBA9876543210',
        amount_cents: 13_800,
        paid_on: '2026-11-21',
        bank_reference: 'SEPA-2',
        problem: 'The transfer is $138.00, and the payout is $139.00.',
      },
    ],
    ...fields,
  };
}

/** Answers of a drafted run. */
export const PAYOUT_ANSWERS = {
  list_payout_runs: { runs: [payoutRun()], next: null },
  get_payout_run: payoutRun(),
  list_payout_run_creators: RUN_CREATORS,
  list_payout_files: FILES,
  list_creator_payouts: CREATOR_PAYOUTS,
  get_bank_report: bankReport(),
};

/** Limits of the product that server and browser share (fan spec, sections 4, 5 and 9). */

/** Longest prompt that is sent and stored, in UTF-16 units. */
export const PROMPT_MAX_LENGTH = 1_000;

/** Longest note of a report, in UTF-16 units. */
export const REPORT_NOTE_MAX_LENGTH = 500;

/** Longest reason that an admin or finance person gives for an act, in UTF-16 units. */
export const REASON_MAX_LENGTH = 500;

/** Most credits, or US cents, of one event of the ledger. */
export const MAX_AMOUNT = 1_000_000_000;

/** Free test images of a creator on a UTC day: those that the creator starts, and trial pictures that admins draw. */
export const TESTS_PER_DAY = 20;

/** A model is assigned on a trial picture of at most this age (days). */
export const MODEL_TRIAL_DAYS = 7;

/** Longest note about a test image, in UTF-16 units. */
export const TEST_NOTE_MAX_LENGTH = 500;

/** A generation can be cancelled from this age on (milliseconds). */
export const CANCELLABLE_AFTER_MS = 3_000;

/** A pending generation older than this is ended and refunded (milliseconds). */
export const GENERATION_TIMEOUT_MS = 900_000;

/** Counts of long lists end here: a larger number is not worth the reading (`total_count`). */
export const COUNTED_TO = 10_000;

/** Shortest and longest text that is looked for in the prompts of public pictures, in characters. */
export const SEARCH_LENGTH = { min: 2, max: 50 } as const;

/** A number that the screens of finance show has the entries of at most this many accounts. */
export const MOST_ENTRY_ACCOUNTS = 4;

/** Rows on a page where the caller asks for no other number. */
export const PAGE_SIZES = {
  generations: 12,
  /** Pictures of a creator's public gallery; a multiple of every number of columns. */
  gallery: 48,
  /** Pictures below the creators in the search box. */
  foundPictures: 6,
  transactions: 10,
  purchases: 20,
  revenueMonths: 24,
  /** Earnings of a creator, one by one. */
  earnings: 20,
  applications: 50,
  /** Reports and refusals, for admins. */
  moderation: 50,
  statementLines: 100,
  exportedEvents: 500,
  ledgerAccounts: 100,
  foundEvents: 100,
  /** Creators, for admins. */
  adminCreators: 24,
  /** Users, for admins. */
  users: 12,
  /** The history of an account, for admins. */
  accountHistory: 16,
  /** Reports by a user or about their images, for admins. */
  userReports: 20,
  ledgerSeals: 100,
  verificationRuns: 20,
  /** Creators with what they are owed, for finance. */
  liabilities: 50,
  /** Lines of the books, for finance. */
  bookEntries: 100,
  /** Differences between the processor and the ledger, for finance. */
  differences: 50,
  /** Runs, creators of a run, payouts of a creator and lines of a bank's file, for finance. */
  payouts: 50,
} as const;

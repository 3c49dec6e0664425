import { type Count, type Instant } from './scalars.js';

export type RateLimitCategory =
  | 'image_generation'
  | 'financial_ops'
  | 'standard_api'
  | 'cancel_operations'
  | 'data_fetch'
  | 'unknown';

/** The maximum number of calls that one caller may make in a time window. */
export interface RateLimit {
  /** Names the counter; limits with the same name share it. */
  readonly name: string;
  readonly max: number;
  readonly windowSeconds: number;
  /** `caller`: the user, or the address of a visitor. `ip`: always the address. */
  readonly by: 'caller' | 'ip';
  /** The decision when the counter is unavailable: `refuse` (spending) or `allow` (everything else). */
  readonly onFailure: 'refuse' | 'allow';
  /** Text of the 429; `{n}` becomes the seconds to wait. */
  readonly message: string;
}

/** Requests per 60 seconds by category (fan spec, section 9). */
const REQUESTS_PER_MINUTE: Readonly<Record<RateLimitCategory, number>> = {
  image_generation: 5,
  financial_ops: 10,
  standard_api: 20,
  cancel_operations: 250,
  data_fetch: 50,
  unknown: 5,
};

const TOO_MANY = 'Too many requests. Please try again in {n} seconds.';

const perMinute = (category: RateLimitCategory, onFailure: RateLimit['onFailure'] = 'allow'): RateLimit => ({
  name: category,
  max: REQUESTS_PER_MINUTE[category],
  windowSeconds: 60,
  by: 'caller',
  onFailure,
  message: TOO_MANY,
});

/** Every limit of the product in one place: the categories and the spec's overrides. */
export const RATE_LIMITS = {
  imageGeneration: perMinute('image_generation', 'refuse'),
  financialOps: perMinute('financial_ops'),
  checkout: perMinute('financial_ops', 'refuse'),
  standardApi: perMinute('standard_api'),
  cancelOperations: perMinute('cancel_operations'),
  dataFetch: perMinute('data_fetch'),
  /** `get_frame`, once a load of a page: 40 loads a minute in each of three tabs. */
  frame: { name: 'frame', max: 120, windowSeconds: 60, by: 'caller', onFailure: 'allow', message: TOO_MANY },
  /** The lists of the page of credits, which makes four reads: 40 loads a minute. */
  creditData: { name: 'credit_data', max: 160, windowSeconds: 60, by: 'caller', onFailure: 'allow', message: TOO_MANY },
  /** Reads of finance people: a page makes up to four of them. */
  financeData: {
    name: 'finance_data',
    max: 160,
    windowSeconds: 60,
    by: 'caller',
    onFailure: 'allow',
    message: TOO_MANY,
  },
  dailyGrant: {
    name: 'daily_grant',
    max: 5,
    windowSeconds: 300,
    by: 'caller',
    onFailure: 'allow',
    message: 'Too many daily credit requests. Please try again in {n} seconds.',
  },
  statusCheck: {
    name: 'status_check',
    max: 250,
    windowSeconds: 60,
    by: 'caller',
    onFailure: 'allow',
    message: 'Too many status check requests. Please try again in {n} seconds.',
  },
  publicGallery: {
    name: 'public_gallery',
    max: 100,
    windowSeconds: 60,
    by: 'ip',
    onFailure: 'allow',
    message: 'Rate limit exceeded. Please try again in {n} seconds.',
  },
  /** A search begins when its writer pauses: a counter of its own, so that no search stops a page. */
  pictureSearch: {
    name: 'picture_search',
    max: 60,
    windowSeconds: 60,
    by: 'ip',
    onFailure: 'allow',
    message: TOO_MANY,
  },
  /** The spec's limit for data fetches by the client, enforced on the server. */
  publicData: {
    name: 'public_data',
    max: 100,
    windowSeconds: 60,
    by: 'caller',
    onFailure: 'allow',
    message: TOO_MANY,
  },
  /** Tiles of the ledger's log: a mirror of a million events fetches some 4,000 of them. */
  ledgerTiles: {
    name: 'ledger_tiles',
    max: 1000,
    windowSeconds: 60,
    by: 'ip',
    onFailure: 'allow',
    message: TOO_MANY,
  },
  /** Data fetches of creators. The dashboard makes up to five of them: 40 loads a minute. */
  creatorData: {
    name: 'creator_data',
    max: 200,
    windowSeconds: 60,
    by: 'caller',
    onFailure: 'allow',
    message: TOO_MANY,
  },
  /** The figures of one creator: a page of revenue management shows those of 24, and 40 loads a minute pass. */
  creatorFigures: {
    name: 'creator_figures',
    max: 1_000,
    windowSeconds: 60,
    by: 'caller',
    onFailure: 'allow',
    message: TOO_MANY,
  },
  /** Reads of admins: a page makes up to five of them, and 40 loads a minute pass. */
  adminData: {
    name: 'admin_data',
    max: 200,
    windowSeconds: 60,
    by: 'caller',
    onFailure: 'allow',
    message: TOO_MANY,
  },
  /** Decisions of admins: a queue is worked through quickly. */
  adminActs: {
    name: 'admin_acts',
    max: 60,
    windowSeconds: 60,
    by: 'caller',
    onFailure: 'allow',
    message: TOO_MANY,
  },
  /** Reports of images: enough for every honest user. */
  reports: { name: 'reports', max: 10, windowSeconds: 600, by: 'caller', onFailure: 'allow', message: TOO_MANY },
  /** Applications as a creator: one is enough, and mistakes in the form count too. */
  creatorApplications: {
    name: 'creator_applications',
    max: 5,
    windowSeconds: 300,
    by: 'caller',
    onFailure: 'allow',
    message: 'Too many applications. Please try again in a few minutes.',
  },
  /** Acceptances of the creator terms. */
  termsLogging: {
    name: 'terms_logging',
    max: 10,
    windowSeconds: 60,
    by: 'caller',
    onFailure: 'allow',
    message: 'Rate limit exceeded. Please try again in {n} seconds.',
  },
  /** Each call reads everything of a person, pictures included. */
  dataExport: {
    name: 'data_export',
    max: 5,
    windowSeconds: 86_400,
    by: 'caller',
    onFailure: 'allow',
    message: 'You can download your data five times in 24 hours. Please try again later.',
  },
  /** Each call reads a whole account. A page makes two of them: 40 loads a minute. */
  audit: { name: 'audit', max: 80, windowSeconds: 60, by: 'caller', onFailure: 'allow', message: TOO_MANY },
  auditExport: {
    name: 'audit_export',
    max: 120,
    windowSeconds: 60,
    by: 'caller',
    onFailure: 'allow',
    message: TOO_MANY,
  },
  /** Each run reads the whole ledger, and only the newest runs are kept. */
  ledgerVerification: {
    name: 'ledger_verification',
    max: 10,
    windowSeconds: 600,
    by: 'caller',
    onFailure: 'allow',
    message: TOO_MANY,
  },
} as const satisfies Record<string, RateLimit>;

/** The limit of an unknown category. */
export const UNKNOWN_CATEGORY: RateLimit = perMinute('unknown');

export interface RateLimitRow {
  readonly is_limited: boolean;
  readonly remaining_requests: Count;
  readonly reset_time: Instant;
}

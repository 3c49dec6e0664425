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

/** A limit on the calls of one caller in a minute, unless it says otherwise. */
const limit = (name: string, max: number, other: Partial<RateLimit> = {}): RateLimit => ({
  name,
  max,
  windowSeconds: 60,
  by: 'caller',
  onFailure: 'allow',
  message: TOO_MANY,
  ...other,
});

const perMinute = (category: RateLimitCategory, onFailure: RateLimit['onFailure'] = 'allow'): RateLimit =>
  limit(category, REQUESTS_PER_MINUTE[category], { onFailure });

/** Every limit of the product in one place: the categories and the spec's overrides. */
export const RATE_LIMITS = {
  imageGeneration: perMinute('image_generation', 'refuse'),
  financialOps: perMinute('financial_ops'),
  checkout: perMinute('financial_ops', 'refuse'),
  standardApi: perMinute('standard_api'),
  cancelOperations: perMinute('cancel_operations'),
  dataFetch: perMinute('data_fetch'),
  /** `get_frame`, once a load of a page: 40 loads a minute in each of three tabs. */
  frame: limit('frame', 120),
  /** The lists of the page of credits, which makes four reads: 40 loads a minute. */
  creditData: limit('credit_data', 160),
  /** Reads of finance people: a page makes up to four of them. */
  financeData: limit('finance_data', 160),
  dailyGrant: limit('daily_grant', 5, {
    windowSeconds: 300,
    message: 'Too many daily credit requests. Please try again in {n} seconds.',
  }),
  statusCheck: limit('status_check', 250, {
    message: 'Too many status check requests. Please try again in {n} seconds.',
  }),
  publicGallery: limit('public_gallery', 100, {
    by: 'ip',
    message: 'Rate limit exceeded. Please try again in {n} seconds.',
  }),
  /** A search begins when its writer pauses: a counter of its own, so that no search stops a page. */
  pictureSearch: limit('picture_search', 60, { by: 'ip' }),
  /** The spec's limit for data fetches by the client, enforced on the server. */
  publicData: limit('public_data', 100),
  /** Tiles of the ledger's log: a mirror of a million events fetches some 4,000 of them. */
  ledgerTiles: limit('ledger_tiles', 1000, { by: 'ip' }),
  /** Data fetches of creators. The dashboard makes up to five of them: 40 loads a minute. */
  creatorData: limit('creator_data', 200),
  /** The figures of one creator: a page of revenue management shows those of 24, and 40 loads a minute pass. */
  creatorFigures: limit('creator_figures', 1_000),
  /** Reads of admins: a page makes up to five of them, and 40 loads a minute pass. */
  adminData: limit('admin_data', 200),
  /** Decisions of admins: a queue is worked through quickly. */
  adminActs: limit('admin_acts', 60),
  /** Reports of images: enough for every honest user. */
  reports: limit('reports', 10, { windowSeconds: 600 }),
  /** Applications as a creator: one is enough, and mistakes in the form count too. */
  creatorApplications: limit('creator_applications', 5, {
    windowSeconds: 300,
    message: 'Too many applications. Please try again in a few minutes.',
  }),
  /** Acceptances of the creator terms. */
  termsLogging: limit('terms_logging', 10, { message: 'Rate limit exceeded. Please try again in {n} seconds.' }),
  /** Each call reads everything of a person, pictures included. */
  dataExport: limit('data_export', 5, {
    windowSeconds: 86_400,
    message: 'You can download your data five times in 24 hours. Please try again later.',
  }),
  /** Each call reads a whole account. A page makes two of them: 40 loads a minute. */
  audit: limit('audit', 80),
  auditExport: limit('audit_export', 120),
  /** Each run reads the whole ledger, and only the newest runs are kept. */
  ledgerVerification: limit('ledger_verification', 10, { windowSeconds: 600 }),
} satisfies Record<string, RateLimit>;

/** The limit of an unknown category. */
export const UNKNOWN_CATEGORY: RateLimit = perMinute('unknown');

export interface RateLimitRow {
  readonly is_limited: boolean;
  readonly remaining_requests: Count;
  readonly reset_time: Instant;
}

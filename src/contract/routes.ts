import { type CreatorTableRow } from './creators.js';
import { type GenerationTableRow, type GenerationView } from './generation.js';
import { type Count } from './scalars.js';

/** `GET /rest/v1/<table>`: the tables that can be read, by name, and their rows. */
export interface Tables {
  /** Approved creators for everyone; those in another state for themselves and admins. */
  creators: CreatorTableRow;
  /** Lists: the caller's own, all for admins. By id: completed ones for anyone with the link. */
  generations: GenerationTableRow;
}

export type TableName = keyof Tables;

/** The response of every other route on success, by method and path. */
export interface OtherRoutes {
  /** Succeeds while the process runs. */
  'GET /healthz': { content: 'application/json'; response: HealthAnswer };
  /** Succeeds while the process can serve requests. */
  'GET /readyz': { content: 'application/json'; response: ReadyAnswer };
  /** Metrics for Prometheus. Without METRICS_TOKEN on this machine only. */
  'GET /metrics': { content: 'text/plain'; response: string };
  /** This description. */
  'GET /docs/api/openapi.json': { content: 'application/json'; response: object };
  /** This description as a page. */
  'GET /docs/api': { content: 'text/html'; response: string };
  /** Server-sent events named `generation`: the view at once and after each change. Ends after the last change. */
  'GET /events/generations/{id}': { content: 'text/event-stream'; response: GenerationView };
  /** A picture. Its name is unguessable, its content never changes. Each `.webp` also has a `.jpg` and a `.png`. */
  'GET /media/{folder}/{file}': {
    content: 'image/webp' | 'image/avif' | 'image/jpeg' | 'image/png';
    response: string;
  };
  /** Everything that the product keeps about the caller, as a ZIP file. A failure midway breaks the connection. */
  'GET /exports/my-data.zip': { content: 'application/zip'; response: string };
  /** Earnings of a creator, of a month (`month=YYYY-MM`) or all. For the creator, admins and finance. */
  'GET /exports/creator-earnings.csv': { content: 'text/csv'; response: string };
  /** `get_trial_balance` as CSV, at the instant `at`. For finance and admins. */
  'GET /exports/trial-balance.csv': { content: 'text/csv'; response: string };
  /** `list_revenue_months` as CSV: `limit` months before `before`, all by default. For finance and admins. */
  'GET /exports/revenue-months.csv': { content: 'text/csv'; response: string };
  /** `get_deferred_revenue` as CSV, at the end of `month` (YYYY-MM). For finance and admins. */
  'GET /exports/deferred-revenue.csv': { content: 'text/csv'; response: string };
  /** `list_creator_liabilities` as CSV: all creators, at the instant `at`. For finance and admins. */
  'GET /exports/creator-liabilities.csv': { content: 'text/csv'; response: string };
  /** `list_book_entries` as CSV: `account=4000,2100`, `from`, `to`, `creator_id`, `bought_month`. For finance. */
  'GET /exports/book-entries.csv': { content: 'text/csv'; response: string };
  /** The general journal, for accounting programs: all lines with money, `from` to `to`. For finance and admins. */
  'GET /exports/journal.csv': { content: 'text/csv'; response: string };
  /** Both sides of the reconciliation in a period, with all differences; `from`, `to`. */
  'GET /exports/reconciliation.csv': { content: 'text/csv'; response: string };
  /**
   * A file of a payout run for the bank, with payout details in full: `run_id`, `file`. Payouts that have ended, and
   * those whose details changed within 7 days, are left out. For admins; the download is an act.
   */
  'GET /exports/payout-file.csv': { content: 'text/csv'; response: string };
  /**
   * `get_payout_statement` as CSV, `payout_id`, with each line of the period. The amounts of all lines but the last add
   * up to that of the last one. For the creator, admins and finance.
   */
  'GET /exports/payout-statement.csv': { content: 'text/csv'; response: string };
  /** The log of acts of admins, filtered like `list_admin_acts`. For admins and auditors. The export is an act. */
  'GET /exports/admin-acts.csv': { content: 'text/csv'; response: string };
  /** The public key that seals and exports of the ledger are verified with. */
  'GET /ledger/public-key.pem': { content: 'application/x-pem-file'; response: string };
  /** Every replacement of that key, a line each, signed by the old and the new key. */
  'GET /ledger/key-rotations.ndjson': { content: 'application/x-ndjson'; response: string };
  /** The last checkpoint of the public log of the ledger: a signed note (C2SP tlog-checkpoint). */
  'GET /ledger/checkpoint': { content: 'text/plain'; response: string };
  /** The verifier key of the checkpoints, a line (C2SP signed-note). */
  'GET /ledger/key': { content: 'text/plain'; response: string };
  /**
   * A tile of the log (C2SP tlog-tiles). `level` is a number, or `entries`; the parts behind it are the tile's number
   * in groups of three digits, all but the last with an `x`, and for a partial tile `.p/<width>`.
   */
  'GET /ledger/tile/{level}/{a}': { content: 'application/octet-stream'; response: string };
  /** A tile whose address has two parts. */
  'GET /ledger/tile/{level}/{a}/{b}': { content: 'application/octet-stream'; response: string };
  /** A tile whose address has three parts. */
  'GET /ledger/tile/{level}/{a}/{b}/{c}': { content: 'application/octet-stream'; response: string };
  /** A tile whose address has four parts. */
  'GET /ledger/tile/{level}/{a}/{b}/{c}/{d}': { content: 'application/octet-stream'; response: string };
  /** The proof that the last checkpoint has an event, as a `.tlog-proof` file. For its owner and auditors. */
  'GET /ledger/proof/{eventId}': { content: 'text/plain'; response: string };
  /**
   * The events of the caller's own account up to the last checkpoint, a line each, and the proof that the checkpoint
   * has the last one. The verifier (`/ledger/verify-fanvas.mjs`) checks the file.
   */
  'GET /ledger/statement': { content: 'application/x-ndjson'; response: string };
  /** The same of the earnings of the creator that the caller is: `EarningPosted`, without anything about fans. */
  'GET /ledger/earnings-statement': { content: 'application/x-ndjson'; response: string };
  /** The pages that search engines may find. */
  'GET /sitemap.xml': { content: 'application/xml'; response: string };
  /** The paths that search engines may visit. */
  'GET /robots.txt': { content: 'text/plain'; response: string };
  /** Signed events of the identity provider. */
  'POST /webhooks/clerk': { content: 'application/json'; response: WebhookReceived };
  /** Signed events of the payment processor. */
  'POST /webhooks/stripe': { content: 'application/json'; response: WebhookReceived };
  /** Signed events of the image provider. */
  'POST /webhooks/replicate': { content: 'application/json'; response: WebhookReceived };
}

export type OtherRoute = keyof OtherRoutes;

export interface WebhookReceived {
  readonly received: true;
}

export interface HealthAnswer {
  readonly status: 'ok';
}

export interface ReadyAnswer {
  readonly status: 'ready';
  /** Null when the event store does not answer. */
  readonly projections: readonly ProjectionHealth[] | null;
}

/** Only callers who may read `/metrics` see more than the first three fields. */
export interface ProjectionHealth {
  readonly name: string;
  readonly state: string;
  readonly failing: boolean;
  /** Version of the live tables; null when there is none yet. */
  readonly liveVersion?: Count | null;
  /** Version of this build. */
  readonly version?: Count;
  /** Position of the last event applied. Opaque. */
  readonly position?: string | null;
  /** Not applied yet; 10,000 means that or more. */
  readonly lagEvents?: Count;
  /** Age of the oldest event that is not applied yet. */
  readonly lagSeconds?: number;
  /** Of tables that are being built. */
  readonly rebuild?: RebuildHealth | null;
}

export interface RebuildHealth {
  readonly version: Count;
  /** Applied so far. */
  readonly events: Count;
  /** Stored when it began. */
  readonly total: Count;
  readonly eventsPerSecond: number;
  /** Until all is applied; null before there is a rate. */
  readonly etaSeconds: number | null;
}

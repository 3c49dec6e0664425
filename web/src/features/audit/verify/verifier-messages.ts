/** A request of the page to the verifier, which runs in a worker. */
export interface VerifyRequest {
  readonly file: Blob;
  /** An export of the whole ledger, or a fan's statement. */
  readonly kind: 'export' | 'statement';
  /** Texts of the trusted keys: PEM, or the key of the log. */
  readonly keys: readonly string[];
  /** Lines of key replacements; empty without any. */
  readonly rotations: string;
  /** Text of the checkpoint that the log must have; null: the log is not compared. */
  readonly checkpoint: string | null;
  /** Address below which the tiles of the log are. */
  readonly log: string;
}

/** The result of the verifier. */
export interface Verdict {
  /** The first problems, a sentence each. Empty: all holds. */
  readonly problems: readonly string[];
  /** Number of problems. */
  readonly problemCount: number;
  /** Sums of what was recomputed; null when the file could not be read to its end. */
  readonly sums: VerifiedSums | null;
}

/** An account of the books, as the verifier recomputed it. */
export interface VerifiedBalance {
  /** Its number in the chart of accounts. */
  readonly account: number;
  readonly name: string;
  /** US cents; a debit is above zero. Null: only the payment processor knows it. */
  readonly cents: number | null;
}

/** The parts of account 2100. */
export interface VerifiedParts {
  readonly pendingCents: number;
  readonly payableCents: number;
  readonly debtCents: number;
}

export type VerifiedSums =
  | {
      readonly kind: 'export';
      readonly events: number;
      readonly streams: number;
      /** Events that the checkpoint does not cover yet. Null: the log was not compared, for want of a checkpoint. */
      readonly newer: number | null;
      /** Events of the log that came after the export. */
      readonly later: number;
      /** Instant of the balances, milliseconds since 1970. */
      readonly until: number;
      readonly accounts: number;
      readonly credits: number;
      readonly creators: readonly {
        readonly creatorId: string;
        readonly cents: number;
        readonly payableCents: number;
      }[];
      readonly trialBalance: readonly VerifiedBalance[];
      /** How account 2100 is divided, US cents. Null: by rule 1, whose accounts divide it. */
      readonly creatorShare: VerifiedParts | null;
    }
  | {
      readonly kind: 'statement';
      readonly stream: string;
      readonly events: number;
      readonly at: number;
      readonly balance: Readonly<Record<string, number>>;
      /** Events that the checkpoint of the proof covers. */
      readonly covered: number;
    };

export type VerifierMessage =
  | { readonly kind: 'progress'; /** From 0 to 1. */ readonly done: number }
  | { readonly kind: 'verdict'; readonly verdict: Verdict };

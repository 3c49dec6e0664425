import { EVENT_VERSIONS } from '../../contract/event-versions.js';
import { eventReader } from '../account/upcast.js';

/** Name of the stream of the operator's decisions. The events of accounts depend on these decisions. */
export const POLICY_STREAM = 'policy';

/** The `effectiveFrom` of a policy that holds for all events in the store. */
export const FROM_THE_BEGINNING = '1970-01-01T00:00:00.000Z';

/**
 * Recognised revenue is cumulative, and a chargeback takes the creator's half back at any time. This rule holds for
 * events of accounts that occurred at or after `effectiveFrom`.
 */
export type RevenueRuleAdopted = {
  schemaVersion: 1;
  rule: 'cumulative-with-clawback';
  /** ISO 8601 UTC. */
  effectiveFrom: string;
};

/** From `effectiveFrom` on, the daily grant has this amount. */
export type DailyGrantAmountSet = {
  schemaVersion: 1;
  /** Credits, positive. */
  amount: number;
  /** ISO 8601 UTC. */
  effectiveFrom: string;
};

/** From `effectiveFrom` on, one admin may grant this many credits per UTC day. */
export type AdminGrantLimitSet = {
  schemaVersion: 1;
  /** Credits. */
  amount: number;
  /** ISO 8601 UTC. */
  effectiveFrom: string;
};

/** From `effectiveFrom` on, a bundle has this price, or is no longer sold. */
export type BundlePriced = {
  schemaVersion: 1;
  bundleId: string;
  /** Credits in the bundle, positive. */
  credits: number;
  /** Price of the whole bundle, US cents. */
  priceCents: number;
  onSale: boolean;
  /** ISO 8601 UTC. */
  effectiveFrom: string;
};

/**
 * Records that events of accounts were imported from another system, or made for a demo. Their times are earlier than
 * their recording. The ledger's key signs the record.
 */
export type HistoryImported = {
  schemaVersion: 1;
  importId: string;
  /** Number of this event in the record, from 1. A long record has several events. */
  part: number;
  parts: number;
  /** Must contain no personal data. */
  reason: string;
  /** Time of the earliest imported event, ISO 8601 UTC. */
  from: string;
  /** Time of the latest imported event, ISO 8601 UTC. */
  to: string;
  /** Number of imported events. */
  events: number;
  /** In byte order of the names. The hash is that of the last imported event. */
  streams: { stream: string; fromVersion: number; toVersion: number; hash: string }[];
  /** SHA-256 of the public key, hex. */
  keyFingerprint: string;
  /** Ed25519 over the canonical JSON of the other fields, base64. */
  signature: string;
};

/** Every event of the stream `policy`, by type. `docs/events.md` is the catalogue. */
export type PolicyEvent =
  | { type: 'RevenueRuleAdopted'; data: RevenueRuleAdopted }
  | { type: 'DailyGrantAmountSet'; data: DailyGrantAmountSet }
  | { type: 'AdminGrantLimitSet'; data: AdminGrantLimitSet }
  | { type: 'BundlePriced'; data: BundlePriced }
  | { type: 'HistoryImported'; data: HistoryImported };

/** Reads a stored event. See {@link eventReader}. */
export const readPolicyEvent = eventReader<PolicyEvent>(EVENT_VERSIONS.creditPolicy);

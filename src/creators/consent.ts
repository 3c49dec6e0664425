import { createHash } from 'node:crypto';
import { type AliasedExpression, type ExpressionBuilder, type Insertable, type Transaction } from 'kysely';
import { CREATOR_TERMS_VERSION, creatorTermsText, USER_AGENT_MAX_LENGTH } from '../contract/creator-terms.js';
import { SYSTEM_ACTOR } from '../platform/acts/actor.js';
import { type Acts } from '../platform/acts/acts.js';
import { newSalt, sealRow } from '../platform/acts/sealed-rows.js';
import { SEALED_CONSENT } from './sealed-tables.js';
import { type ConsentContext, type CreatorTables } from './tables.js';

/** A new act of consent. */
export type StoredConsent = Required<Insertable<CreatorTables['creator_consent']>> & { readonly salt: string };

/** Circumstances of an acceptance of the present terms. */
export interface Acceptance {
  readonly termsUrl: string;
  readonly method: string;
  /** The exact words that the person confirmed. */
  readonly statement: string;
  readonly userAgent: string;
  readonly email: string;
}

export type ConsentAct = {
  readonly id: string;
  readonly userId: string;
  readonly at: Date;
  readonly context: ConsentContext;
} & (
  | { readonly kind: 'accepted'; readonly acceptance: Acceptance }
  | { readonly kind: 'withdrawn' | 'paused' | 'resumed'; readonly userAgent?: string | undefined }
);

/** The row of an act. An acceptance gets the version and the hash of the terms in force. */
export function consentRow(act: ConsentAct): StoredConsent {
  const accepted = act.kind === 'accepted' ? act.acceptance : null;
  return {
    id: act.id,
    clerk_id: act.userId,
    kind: act.kind,
    at: act.at,
    context: act.context,
    terms_version: accepted && CREATOR_TERMS_VERSION,
    terms_sha256: accepted && creatorTermsSha256(),
    terms_url: accepted?.termsUrl ?? null,
    method_of_acceptance: accepted?.method ?? null,
    accepted_text_snapshot: accepted?.statement ?? null,
    user_agent: storedUserAgent(act.kind === 'accepted' ? act.acceptance.userAgent : act.userAgent),
    email: accepted?.email ?? null,
    salt: newSalt(),
  };
}

/** The entry of an act of consent in the log of acts, in the transaction that stores it. One statement. */
export async function logConsent(
  acts: Acts,
  transaction: Transaction<CreatorTables>,
  consent: StoredConsent,
): Promise<void> {
  const { clerk_id: userId, kind, terms_version: version, salt } = consent;
  await acts.record(transaction, {
    kind: 'consent.recorded',
    actor: SYSTEM_ACTOR,
    subject: { kind: 'user', id: userId },
    userId,
    after: { kind, ...(version === null ? {} : { terms_version: version }) },
    rows: sealRow(SEALED_CONSENT, consent, salt),
  });
}

/** The columns of a row, for an insert that selects its values. */
export function columnsOf<Row extends object>(row: Row): (keyof Row & string)[] {
  return Object.keys(row) as (keyof Row & string)[];
}

/** The values of a row in the order of `columnsOf`, for an insert that depends on another statement. */
export function valuesOf<Row extends object, DB, TB extends keyof DB>(
  row: Row,
  from: ExpressionBuilder<DB, TB>,
): AliasedExpression<unknown, string>[] {
  return Object.entries(row).map(([column, value]) => from.val(value as unknown).as(column));
}

/** SHA-256 of the exact text of the creator terms, hex. */
function creatorTermsSha256(): string {
  return createHash('sha256').update(creatorTermsText()).digest('hex');
}

/** The user agent as it is stored: cut to 1000 characters, `unknown` without one (creator spec, section 3). */
export function storedUserAgent(userAgent: string | undefined): string {
  return userAgent?.trim().slice(0, USER_AGENT_MAX_LENGTH) || 'unknown';
}

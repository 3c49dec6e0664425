import { ADMIN_GRANT_LIMIT_CREDITS, DAILY_GRANT_CREDITS } from '../../contract/prices.js';

/** How long a deduction that has ended is remembered; an unknown id older than this is refused as closed. */
export const DEDUCTION_MEMORY_DAYS = 30;

/** Settings of the operator. */
export interface CreditSettings {
  /** Credits of the daily grant, a positive integer. They lapse at the next 00:00 UTC. */
  readonly dailyGrantCredits: number;
  /** Credits that one admin may grant a UTC day. */
  readonly adminGrantLimitCredits: number;
}

/** Injection token of `CreditSettings`. */
export const CREDIT_SETTINGS = Symbol('CREDIT_SETTINGS');

export const DEFAULT_CREDIT_SETTINGS: CreditSettings = {
  dailyGrantCredits: DAILY_GRANT_CREDITS,
  adminGrantLimitCredits: ADMIN_GRANT_LIMIT_CREDITS,
};

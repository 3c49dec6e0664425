/** What things cost and what is given away, in credits (fan spec, section 9), in one place. */

/** Granted once per identity, on first sight of the user; never expires. */
export const SIGN_UP_BONUS_CREDITS = 30;

/** Default of the daily grant; `CREDIT_SETTINGS` may say otherwise. Lapses at the next 00:00 UTC. */
export const DAILY_GRANT_CREDITS = 10;

/** Price of one generation. */
export const GENERATION_COST_CREDITS = 10;

/** How long a deduction that has ended is remembered; an unknown id older than this is refused as closed. */
export const DEDUCTION_MEMORY_DAYS = 30;

/** What an operator may set. */
export interface CreditSettings {
  /** Credits of the daily grant, a positive integer. */
  readonly dailyGrantCredits: number;
}

/** Injection token of `CreditSettings`. */
export const CREDIT_SETTINGS = Symbol('CREDIT_SETTINGS');

export const DEFAULT_CREDIT_SETTINGS: CreditSettings = { dailyGrantCredits: DAILY_GRANT_CREDITS };

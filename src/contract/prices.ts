/**
 * The price of an image and the credits that are given away (fan spec, section 9). Prices of bundles are rows of
 * `credit_bundle` and events of the stream `policy`.
 */

/** Credits that one generation costs. */
export const GENERATION_COST = 10;

/** Granted once per person, on the first visit with a verified email address. Never expires. */
export const SIGN_UP_BONUS_CREDITS = 30;

/** The daily grant unless the operator sets another one. */
export const DAILY_GRANT_CREDITS = 10;

/** Credits that one admin may grant a UTC day unless the operator sets another limit. */
export const ADMIN_GRANT_LIMIT_CREDITS = 1_000;

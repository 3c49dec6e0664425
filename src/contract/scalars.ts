/** An instant, ISO 8601 in UTC. @format date-time */
export type Instant = string;

/** A day in UTC, YYYY-MM-DD. @format date */
export type Day = string;

/** Whole credits. @TJS-type integer */
export type Credits = number;

/** US cents. @TJS-type integer */
export type Cents = number;

/** A whole number. @TJS-type integer */
export type Count = number;

/** Request of a call without parameters. */
export type NoParameters = Readonly<Record<string, never>>;

/** The answer of a call that only takes effect. */
export interface Success {
  readonly success: true;
}

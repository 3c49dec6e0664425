/** Connections of a process by default, and the fewest with which all of its work goes on. */
export const DEFAULT_CONNECTIONS = 12;
export const LEAST_CONNECTIONS = 10;

/** One connection listens for notifications, and one holds locks. */
const OWN_CONNECTIONS = 2;
/** Statements that append, one at a time in each lane (`event-store/postgres-appender.ts`). */
const APPENDER_CONNECTIONS = 2;
/** Connections of a full verification on demand. */
export const VERIFICATION_CONNECTIONS = 1;
/** A projection needs two while it applies a page. */
const LEAST_JOBS = 3;
/** Without projections, these read events for requests. */
const READER_CONNECTIONS = 2;

export interface ConnectionShares {
  readonly requests: number;
  /** Projections, and the events that they and requests read. */
  readonly jobs: number;
}

/**
 * Divides the connections that no part of a process has for itself.
 * @param all at least `LEAST_CONNECTIONS`
 * @param worker whether the process runs projections and verifications
 */
export function shareConnections(all: number, worker: boolean): ConnectionShares {
  const free = all - OWN_CONNECTIONS - APPENDER_CONNECTIONS - (worker ? VERIFICATION_CONNECTIONS : 0);
  const jobs = worker ? Math.max(LEAST_JOBS, Math.floor(free * 0.4)) : READER_CONNECTIONS;
  return { requests: free - jobs, jobs };
}

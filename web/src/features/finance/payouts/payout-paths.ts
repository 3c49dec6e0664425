export const PAYOUTS_PATH = '/finance/payouts';

/** A run. */
export function runPath(runId: string): string {
  return `${PAYOUTS_PATH}/runs/${encodeURIComponent(runId)}`;
}

/** The payouts of a creator. */
export function creatorPayoutsPath(creatorId: string): string {
  return `${PAYOUTS_PATH}/creators/${encodeURIComponent(creatorId)}`;
}

/** The outcome of a file of the bank. */
export function reportPath(reportId: string): string {
  return `${PAYOUTS_PATH}/reports/${encodeURIComponent(reportId)}`;
}

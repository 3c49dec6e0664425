import { CLOSING_MESSAGES } from '../contract/closing.js';
import { REAPPLY_AFTER_DAYS } from '../contract/creator-terms.js';
import { DAY_MS } from '../contract/durations.js';
import { DomainError } from '../platform/domain-error.js';
import { type CreatorStatus } from './tables.js';

/** The facts that decide about an application. */
export interface ApplicantState {
  /** Null for a first application. */
  readonly creator: { readonly id: string; readonly status: CreatorStatus; readonly rejectedAt: Date | null } | null;
  /** The account is being closed. */
  readonly closed: boolean;
  /** Another creator with this handle is approved. */
  readonly handleTaken: boolean;
}

/** When a rejected person may apply again. */
export function reapplyAt(rejectedAt: Date): Date {
  return new Date(rejectedAt.getTime() + REAPPLY_AFTER_DAYS * DAY_MS);
}

/** The refusal of an application while another one is open or approved. */
export function alreadyApplied(): DomainError {
  return new DomainError('conflict', 'You already have a creator application.');
}

/**
 * Decides whether a person may apply now.
 * @returns the creator of the earlier application that was rejected; null for a first application
 * @throws DomainError conflict 23505 with an open application or as a creator, 55000 too early after a rejection
 */
export function decideApplication(state: ApplicantState, now: Date): { readonly creatorId: string } | null {
  const { creator } = state;
  if (state.closed) throw new DomainError('conflict', CLOSING_MESSAGES.closing, { code: '55000' });
  if (creator && (creator.status !== 'rejected' || creator.rejectedAt === null)) throw alreadyApplied();
  if (creator?.rejectedAt && now < reapplyAt(creator.rejectedAt)) {
    const when = inWords(reapplyAt(creator.rejectedAt));
    throw new DomainError('conflict', `Your last application was not approved. You can apply again from ${when}.`, {
      code: '55000',
    });
  }
  if (state.handleTaken) {
    const message = 'This Instagram handle belongs to a creator on Fanvas. Please contact support if it is yours.';
    throw new DomainError('unprocessable', message, { code: '22023' });
  }
  return creator && { creatorId: creator.id };
}

/** 'February 20, 2027 at 14:05 UTC' */
function inWords(instant: Date): string {
  const inUtc = { timeZone: 'UTC' } as const;
  const day = instant.toLocaleDateString('en-US', { ...inUtc, dateStyle: 'long' });
  const time = instant.toLocaleTimeString('en-GB', { ...inUtc, hour: '2-digit', minute: '2-digit' });
  return `${day} at ${time} UTC`;
}

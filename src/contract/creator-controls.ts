/** Limits and texts of the creator's own controls that server and browser share. */

/** Words and phrases that one creator may block. */
export const BLOCKED_TERMS_MAX = 100;

/** Longest blocked word or phrase, in UTF-16 units. */
export const BLOCKED_TERM_MAX_LENGTH = 50;

/** Longest reason of a take-down request, in UTF-16 units. */
export const TAKE_DOWN_REASON_MAX_LENGTH = 500;

/** Hours within which admins decide a take-down request. */
export const TAKE_DOWN_HOURS = 48;

/** Days for which payouts wait after a change of the payout details. */
export const PAYOUT_HOLD_DAYS = 7;

/** Days after a withdrawal within which admins delete the model at the image provider. */
export const MODEL_DELETION_DAYS = 30;

/** Texts of refusals. */
export const CONTROL_MESSAGES = {
  /** 403 of every control for a caller who is no approved creator. */
  notCreator: 'Only approved creators have these controls.',
  /** 422 of `withdraw_consent_by_jwt`. */
  confirmation: (name: string) => `Type your name, ${name}, to confirm that you withdraw your consent.`,
  /** 409 of `set_creator_paused_by_jwt`. */
  withdrawn: 'You have withdrawn your consent. Accept the terms again to open your page.',
  /** 422 of `add_own_blocked_term_by_jwt`. */
  blockedTerm: `Enter a word or phrase of 1 to ${BLOCKED_TERM_MAX_LENGTH} characters with at least one letter or number.`,
  /** 409 */
  blockedTermKnown: 'You already block this word or phrase.',
  /** 409 */
  blockedTermsFull: `You block ${BLOCKED_TERMS_MAX} words and phrases, which is the limit. Remove one first.`,
  /** 404 */
  blockedTermNotFound: 'You do not block this word or phrase.',
  /** 409 of a start while the creator pauses. */
  paused: (name: string) => `${name} is taking a break. Please come back later.`,
  /** 422 of a start whose prompt the creator does not allow. */
  blocked: (name: string, term: string) => `${name} does not allow this in prompts: “${term}”.`,
  /** 422 of `save_own_payout_details_by_jwt`. */
  legalName: 'Enter your legal name, at most 200 characters.',
  country: 'Enter the two letters of a country, such as US or DE.',
  iban: 'This IBAN is not valid. Please check each character.',
  account: 'Enter an IBAN, or an account number with its bank code: 6 to 50 letters and digits.',
  /** 409 */
  payoutChanged: 'Your payout details were changed at the same time. Please check them and try again.',
  /** 503 of the calls about payout details. */
  payoutKey: 'Payout details are not available right now. Please try again later.',
  /** 404 */
  imageNotFound: 'There is no finished image with this id in your style.',
  /** 422 */
  takeDownReason: `Enter a reason of 1 to ${TAKE_DOWN_REASON_MAX_LENGTH} characters.`,
  /** 409 */
  takeDownKept: 'An admin has already decided to keep this image. Please write to support if something has changed.',
  /** 404 */
  takeDownNotFound: 'There is no such take-down request.',
  /** 409 */
  takeDownDecided: 'This take-down request is already decided.',
  /** 422 of a save of the gallery. */
  setAside: 'The creator has taken an image of this list out of the gallery. Only the creator can bring it back.',
  /** 409 of the owner of an image. */
  takenDown: 'The creator has asked us to take this image down. It stays hidden until an admin has decided.',
  /** 404 */
  modelDeletionNotFound: 'There is no open task to delete this model.',
} as const;

import { CREATOR_RULES } from '../../../../src/contract/generation.js';
import { SUSPENDED, SUSPENSION_MESSAGES } from '../../../../src/contract/moderation.js';
import { NO_CLIENT_TEXT } from '../../lib/api-error.js';
import { IDENTITY_LOADING } from '../../lib/auth.js';

/** Why a generation did not start (texts of the fan spec), and what the fan can do. */
export interface StartProblem {
  readonly title: string | null;
  readonly message: string;
  /** The server's own message, when it says more. */
  readonly detail: string | null;
  /** True when the server refused, so nothing was charged. False after a lost answer, when that is unknown. */
  readonly creditsUnharmed: boolean;
  readonly action: 'purchase' | 'sign-in' | null;
}

/** The fields of an error that the mapping reads. `status` is the HTTP status, 0 without an answer. */
export interface StartFailure {
  readonly status: number;
  readonly message: string;
  readonly details?: string | null;
}

/** Text for a missing permission (fan spec, section 8), which replaces the server's message. */
const NOT_PERMITTED = 'Authorization failed: You do not have permission to generate images.';
/** Refusals that last: the same creator cannot draw at the next attempt either. */
const CREATOR_CANNOT = /Please try a different creator\.|does not have an AI model available for generation\./;
const NEXT_STEP_AFTER_MODERATION = 'Please modify your prompt to comply with our content guidelines.';

/** Maps the failure of `start_generation_by_jwt` as section 8 of the fan spec says ("UI mapping of start errors"). */
export function startProblemOf(failure: StartFailure): StartProblem {
  const { message, status, details } = failure;
  // These failures happen before the server starts: nothing was charged, and its message helps.
  const neverBegun = message === NO_CLIENT_TEXT || message.startsWith('Failed to access creator for generation');
  const refused = neverBegun || (status >= 400 && status < 500 && status !== 408);
  const problem = (fields: Partial<StartProblem> & Pick<StartProblem, 'message'>): StartProblem => ({
    title: null,
    detail: null,
    creditsUnharmed: refused,
    action: null,
    ...fields,
  });
  if (message.includes('Insufficient credits'))
    return problem({ message: 'You need more credits to generate this image.', action: 'purchase' });
  if (message.includes('Credit deduction failed'))
    return problem({
      message: "You don't have enough credits for this operation. Please purchase more credits.",
      action: 'purchase',
    });
  if (message.includes('Authentication required'))
    return problem({
      message: 'Authentication Error - Please sign out and sign back in to refresh your session.',
      action: 'sign-in',
    });
  if (message.includes('violates our content policy') || message.includes('explicit sexual content'))
    return problem({ title: 'Content Moderation Alert', message: sentences(message, NEXT_STEP_AFTER_MODERATION) });
  if (details === CREATOR_RULES.blockedTerm)
    return problem({ title: 'A rule of this creator', message: sentences(message, 'Please change your prompt.') });
  if (details === CREATOR_RULES.paused) return problem({ message });
  if (details === SUSPENDED) return problem({ message: sentences(message, SUSPENSION_MESSAGES.appeal) });
  // 'Please try again' next to 'Please try a different creator' would contradict it.
  if (refused && CREATOR_CANNOT.test(message)) return problem({ message });
  return problem({
    message: 'Error starting image generation. Please try again.',
    detail: status === 403 ? NOT_PERMITTED : refused ? message : null,
  });
}

/** Shown when the prompt is empty after sanitising (fan spec, section 5). */
export const INVALID_PROMPT: StartProblem = {
  title: null,
  message:
    'Invalid Prompt - Your prompt was removed due to security reasons. Please enter a valid prompt that complies with our guidelines.',
  detail: null,
  creditsUnharmed: true,
  action: null,
};

/** Shown when it is not known yet whether the person is signed in. */
export const IDENTITY_UNKNOWN: StartProblem = { ...INVALID_PROMPT, message: IDENTITY_LOADING };

function sentences(first: string, second: string): string {
  return `${/[.!?]$/.test(first.trim()) ? first.trim() : `${first.trim()}.`} ${second}`;
}

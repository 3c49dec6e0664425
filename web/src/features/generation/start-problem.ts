import { NO_CLIENT_TEXT } from '../../lib/api-error.js';

/** Why a generation did not start, in the words of the spec, and what the fan can do about it. */
export interface StartProblem {
  readonly title: string | null;
  readonly message: string;
  /** The server's own words, where they say more than the message. */
  readonly detail: string | null;
  /** True when it is certain that nothing was charged: the server refused. After a lost answer nobody can know. */
  readonly creditsUnharmed: boolean;
  readonly action: 'purchase' | 'sign-in' | null;
}

/** The part of an error that the mapping reads: `status` is the HTTP status, 0 when no answer came. */
export interface StartFailure {
  readonly status: number;
  readonly message: string;
}

/** What a refusal for lack of a permission says (specification, section 8), whatever words the server had for it. */
const NOT_PERMITTED = 'Authorization failed: You do not have permission to generate images.';
const NEXT_STEP_AFTER_MODERATION = 'Please modify your prompt to comply with our content guidelines.';

/** Maps the failure of `start_generation_by_jwt` as section 8 of the fan spec says ("UI mapping of start errors"). */
export function startProblemOf(failure: StartFailure): StartProblem {
  const { message, status } = failure;
  // Before these the server has not begun: its own words help, and nothing was charged.
  const neverBegun = message === NO_CLIENT_TEXT || message.startsWith('Failed to access creator for generation');
  const refused = neverBegun || (status >= 400 && status < 500 && status !== 408);
  const problem = (words: Partial<StartProblem> & Pick<StartProblem, 'message'>): StartProblem => ({
    title: null,
    detail: null,
    creditsUnharmed: refused,
    action: null,
    ...words,
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
  return problem({
    message: 'Error starting image generation. Please try again.',
    detail: status === 403 ? NOT_PERMITTED : refused ? message : null,
  });
}

/** Shown when sanitising left nothing of the prompt (fan spec, section 5). */
export const INVALID_PROMPT: StartProblem = {
  title: null,
  message:
    'Invalid Prompt - Your prompt was removed due to security reasons. Please enter a valid prompt that complies with our guidelines.',
  detail: null,
  creditsUnharmed: true,
  action: null,
};

function sentences(first: string, second: string): string {
  return `${/[.!?]$/.test(first.trim()) ? first.trim() : `${first.trim()}.`} ${second}`;
}

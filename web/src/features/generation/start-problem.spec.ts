import { describe, expect, it } from '@jest/globals';
import { INVALID_PROMPT, startProblemOf } from './start-problem.js';

describe('startProblemOf', () => {
  it('[F8.14] asks for more credits and links to the purchase', () => {
    expect(
      startProblemOf({ status: 402, message: 'Insufficient credits: Please purchase more credits to continue.' }),
    ).toMatchObject({
      message: 'You need more credits to generate this image.',
      action: 'purchase',
      creditsUnharmed: true,
    });
  });

  it('[F8.15] explains a failed deduction', () => {
    expect(startProblemOf({ status: 409, message: 'Credit deduction failed' })).toMatchObject({
      message: "You don't have enough credits for this operation. Please purchase more credits.",
      action: 'purchase',
    });
  });

  it('[F8.16] asks to sign in again when the session was not accepted', () => {
    expect(startProblemOf({ status: 401, message: 'Authentication required to generate images' })).toMatchObject({
      message: 'Authentication Error - Please sign out and sign back in to refresh your session.',
      action: 'sign-in',
    });
  });

  it.each(['This prompt violates our content policy', 'The prompt asks for explicit sexual content.'])(
    '[F8.17] raises the moderation alert for "%s"',
    (message) => {
      expect(startProblemOf({ status: 422, message })).toMatchObject({
        title: 'Content Moderation Alert',
        message: `${message.replace(/\.$/, '')}. Please modify your prompt to comply with our content guidelines.`,
      });
    },
  );

  it('[F8.18] uses the general text for other refusals, with their message', () => {
    expect(
      startProblemOf({ status: 429, message: 'Too many requests. Please try again in 12 seconds.' }),
    ).toMatchObject({
      message: 'Error starting image generation. Please try again.',
      detail: 'Too many requests. Please try again in 12 seconds.',
      creditsUnharmed: true,
    });
  });

  it.each([
    'Creator not available for generation. Please try a different creator.',
    'Juno Abara does not have an AI model available for generation.',
  ])('[F8.18] does not ask for another attempt after %j', (message) => {
    expect(startProblemOf({ status: 409, message })).toMatchObject({ message, detail: null, creditsUnharmed: true });
  });

  it('[F8.07] explains a missing permission', () => {
    expect(startProblemOf({ status: 403, message: 'permission denied for table generation' })).toMatchObject({
      message: 'Error starting image generation. Please try again.',
      detail: 'Authorization failed: You do not have permission to generate images.',
      creditsUnharmed: true,
    });
  });

  it.each([
    [0, '[F8.10]', 'Failed to get authenticated client. Please try again or reload the page.'],
    [503, '[F8.11]', 'Failed to access creator for generation: please try again in a moment.'],
  ])(
    '[F8.10, F8.11] reports after a status %i why the start failed, and that nothing was charged %s',
    (status, _id, message) => {
      expect(startProblemOf({ status, message })).toMatchObject({
        message: 'Error starting image generation. Please try again.',
        detail: message,
        creditsUnharmed: true,
      });
    },
  );

  it.each([0, 408, 500, 503])('makes no claim about credits after a status %i', (status) => {
    expect(startProblemOf({ status, message: 'whatever' })).toMatchObject({
      message: 'Error starting image generation. Please try again.',
      detail: null,
      creditsUnharmed: false,
    });
  });

  it('shows a suspended fan until when, and how to appeal', () => {
    const message = 'Your account cannot generate images until 3 December 2026.';
    expect(startProblemOf({ status: 403, message, details: 'suspended' })).toMatchObject({
      message: expect.stringMatching(/^Your account .* 2026\. If you think this is a mistake, write to support/),
      creditsUnharmed: true,
    });
  });

  it('[F5.03] has the text of the spec for a prompt that is empty after sanitising', () => {
    expect(INVALID_PROMPT.message).toBe(
      'Invalid Prompt - Your prompt was removed due to security reasons. Please enter a valid prompt that complies with our guidelines.',
    );
  });
});

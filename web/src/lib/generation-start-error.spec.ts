import { describe, expect, it } from '@jest/globals';
import { INVALID_PROMPT, startProblemOf } from './generation-start-error.js';

describe('startProblemOf', () => {
  it('asks for more credits, with the way to buy them', () => {
    expect(
      startProblemOf({ status: 402, message: 'Insufficient credits: Please purchase more credits to continue.' }),
    ).toMatchObject({
      message: 'You need more credits to generate this image.',
      action: 'purchase',
      creditsUnharmed: true,
    });
  });

  it('knows a failed deduction', () => {
    expect(startProblemOf({ status: 402, message: 'Credit deduction failed' }).message).toBe(
      "You don't have enough credits for this operation. Please purchase more credits.",
    );
  });

  it('asks to sign in anew when the session was not accepted', () => {
    expect(startProblemOf({ status: 401, message: 'Authentication required to generate images' })).toMatchObject({
      message: 'Authentication Error - Please sign out and sign back in to refresh your session.',
      action: 'sign-in',
    });
  });

  it.each(['This prompt violates our content policy', 'The prompt asks for explicit sexual content.'])(
    'raises the moderation alert for "%s"',
    (message) => {
      expect(startProblemOf({ status: 422, message })).toMatchObject({
        title: 'Content Moderation Alert',
        message: `${message.replace(/\.$/, '')}. Please modify your prompt to comply with our content guidelines.`,
      });
    },
  );

  it('keeps to the general words otherwise, with what the server refused', () => {
    expect(
      startProblemOf({ status: 429, message: 'Too many requests. Please try again in 12 seconds.' }),
    ).toMatchObject({
      message: 'Error starting image generation. Please try again.',
      detail: 'Too many requests. Please try again in 12 seconds.',
      creditsUnharmed: true,
    });
  });

  it.each([0, 408, 500, 503])('does not claim to know about credits after a status %i', (status) => {
    expect(startProblemOf({ status, message: 'whatever' })).toMatchObject({
      message: 'Error starting image generation. Please try again.',
      detail: null,
      creditsUnharmed: false,
    });
  });

  it('has the words of the spec for a prompt of which nothing was left', () => {
    expect(INVALID_PROMPT.message).toBe(
      'Invalid Prompt - Your prompt was removed due to security reasons. Please enter a valid prompt that complies with our guidelines.',
    );
  });
});

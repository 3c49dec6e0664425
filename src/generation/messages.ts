import { type ModerationCategory } from './moderation/prompt-moderator.js';

/** The reasons for refusing a prompt. The browser recognises 'violates our content policy'. */
export const POLICY_MESSAGES: Readonly<Record<ModerationCategory, string>> = {
  sexual: 'This prompt violates our content policy: explicit sexual content is not allowed.',
  minors: 'This prompt violates our content policy: minors may never be shown in a sexual or suggestive way.',
  real_people: 'This prompt violates our content policy: real people may not be shown degraded, harmed or undressed.',
  hate: 'This prompt violates our content policy: hateful content is not allowed.',
  self_harm:
    'This prompt violates our content policy: self-harm may not be shown. If you are thinking about hurting yourself, please talk to someone you trust or call a crisis line near you.',
};

/** Texts that are stored or sent (fan spec, sections 4, 5 and 8). The browser recognises some of them. */
export const MESSAGES = {
  invalidPrompt: 'Invalid prompt content',
  creatorNotAvailable: 'Creator not available for generation. Please try a different creator.',
  creatorNotRead: (why: string) => `Failed to access creator for generation: ${why}`,
  noModel: (creatorName: string) => `${creatorName} does not have an AI model available for generation.`,
  insufficientCredits: 'Insufficient credits: Please purchase more credits to continue.',
  alreadyPending: 'You already have an image being generated. Please wait until it is finished.',
  recordNotCreated: 'Failed to create generation record',
  startFailed: 'Failed to start image generation',
  noPredictionId: 'Generation failed: No prediction ID assigned (server error)',
  noPredictionIdReceived: 'No prediction ID received from the image provider',
  testCancelFailed: 'Test generation cancellation failed - no data returned',
  noOutput: 'Generation succeeded but no output was provided',
  outputLost: 'Generation failed: the finished image could not be retrieved',
  notStored: 'Generation failed: the finished image could not be stored (server error)',
  noSpecificError: 'Generation failed with no specific error message',
  endedByProvider: 'Generation was canceled by the image provider',
  timedOut: 'Generation timed out and refunded immediately',
  notTimedOut: 'Generation has not timed out',
  alreadyRefunded: 'Generation was already refunded',
  onlyFailedRefunded: 'Only failed generations are refunded',
  statusUnknown: 'The status of this generation cannot be checked right now. Please try again.',
  costMismatch: 'The price of a generation has changed. Please reload the page.',
  tooManyStreams: 'Too many open pages. Please close some and try again.',
  cancelledByUser: 'Cancelled by user',
  cancelled: 'Generation cancelled and credits refunded',
  alreadyCancelled: 'Generation was already canceled',
  cancelFailed: 'Failed to cancel generation',
  cancelTooEarly: (seconds: number) => `Please wait ${seconds} more seconds before cancelling`,
  deletePending: 'Please cancel the generation before you delete it.',
  hideUnfinished: 'Only finished images can be hidden.',
  reportOwn: 'This is your own image. You can hide or delete it.',
  reportNotFound: 'There is no such report.',
  idMissing: 'Either generationId or predictionId must be provided',
  clerkId: 'Invalid generationId format - appears to be a Clerk ID',
  invalidId: 'Invalid generationId format',
  generationIdRequired: 'Generation ID is required',
  notFound: 'Generation not found or access denied',
  notFoundForPrediction: (id: string) => `Generation not found for prediction ID: ${id}`,
  authenticationRequired: (action: string) => `Authentication required to ${action}`,
} as const;

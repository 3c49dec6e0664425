import {
  ACCEPTANCE_METHOD,
  ACCEPTANCE_STATEMENT,
  CREATOR_TERMS_VERSION,
} from '../../../../src/contract/creator-terms.js';
import type { FunctionRequest } from '../../../../src/contract/calls.js';
import type { CreateCreatorRequest } from '../../../../src/contract/calls/creators.js';
import type { OwnCreator } from '../../../../src/contract/creators.js';
import { givenAtSignUp, recordedUserAgent } from './application-rules.js';
import type { Arrival, FlowType } from './arrival.js';
import { mayReapply } from './portal-case.js';
import { ownWords, SaidError } from '../../lib/problem-of.js';

type LogRequest = FunctionRequest<'log-terms-acceptance'>;

interface Guarded {
  readonly arrival: Pick<Arrival, 'flowType' | 'userId'>;
  readonly viewerId: string;
  readonly creator: Pick<OwnCreator, 'creator_status' | 'reapply_at' | 'withdrawn_at'> | null;
  readonly termsAccepted: boolean;
  /** In milliseconds. */
  readonly now: number;
}

/**
 * The flow of the terms page, or null for people who have nothing to accept: without a flow type, creators who have
 * accepted, and the flow of a creator without a record (creator spec, section 2). Two may accept again: a creator who
 * withdrew, and a rejected person who may apply again.
 */
export function flowOf({ arrival, viewerId, creator, termsAccepted, now }: Guarded): FlowType | null {
  const { flowType, userId } = arrival;
  if (flowType === null || (userId !== null && userId !== viewerId)) return null;
  if (creator === null) return flowType === 'existing_creator' ? null : flowType;
  if (mayReapply(creator, now)) return flowType === 'existing_creator' && termsAccepted ? null : flowType;
  // A record made meanwhile, for example in another tab, still lacks the acceptance.
  if (!termsAccepted) return 'existing_creator';
  return creator.withdrawn_at !== null && flowType === 'existing_creator' ? flowType : null;
}

interface Acceptance {
  readonly flowType: FlowType | null;
  readonly clerkId: string | null;
  readonly email: string | null;
  readonly formData: Arrival['formData'];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly creator: Pick<OwnCreator, 'id'> | null;
}

/**
 * The creator to make when the terms are accepted; null for a creator with a record.
 * @throws SaidError in the words of the creator spec, section 5
 */
export function creatorToMake({
  flowType,
  clerkId,
  email,
  formData,
  metadata,
  creator,
}: Acceptance): CreateCreatorRequest | null {
  if (flowType === null) throw new SaidError('Missing required flow type');
  if (!clerkId || !email) throw new SaidError('Authentication required. Please sign in and try again.');
  if (flowType === 'existing_creator') {
    if (!creator?.id) throw new SaidError('Missing required creator data fields');
    return null;
  }
  const applicant = formData ?? (flowType === 'new_user' ? givenAtSignUp(metadata) : { name: '', instagram: '' });
  const name = applicant.name.trim();
  const instagram = applicant.instagram.trim();
  if (name === '' || instagram === '') throw new SaidError('Missing required creator data fields');
  if (!instagram.startsWith('@')) throw new SaidError('Instagram handle must start with @');
  if (!email.includes('@')) throw new SaidError('A valid email is required');
  return { p_email: email, p_name: name, p_instagram: instagram, p_terms_agreed: true };
}

interface LogFields {
  readonly userId: string;
  readonly email: string;
  readonly now: Date;
  readonly origin: string;
  readonly userAgent: string;
}

/** The record of an acceptance. @throws SaidError when it would be incomplete (creator spec, section 5) */
export function acceptanceLog({ userId, email, now, origin, userAgent }: LogFields): LogRequest {
  if (userId.trim() === '') throw new SaidError('Missing required user id');
  if (!email.includes('@')) throw new SaidError('A valid email is required');
  return {
    user_id: userId,
    email,
    accepted_at: now.toISOString(),
    user_agent: recordedUserAgent(userAgent) || 'unknown',
    terms_version: CREATOR_TERMS_VERSION,
    terms_url: `${origin}/creator-terms`,
    method_of_acceptance: ACCEPTANCE_METHOD,
    accepted_text_snapshot: ACCEPTANCE_STATEMENT,
  };
}

/** The message for a failed acceptance (creator spec, section 8). */
export function acceptanceProblem(error: unknown): string {
  const message = ownWords(error) ?? '';
  if (message.includes('Rate limit exceeded')) return 'Too many requests. Please wait a moment and try again.';
  if (message.includes('Authentication')) return 'Authentication error. Please refresh the page and try again.';
  if (message.includes('Missing required')) {
    return 'Missing required information. Please go back and complete the form.';
  }
  return message || 'An error occurred while processing your acceptance. Please try again.';
}

/** Where 'Not Now' goes. */
export function refusedTo(flowType: FlowType): string {
  return flowType === 'existing_creator' ? '/' : '/creator';
}

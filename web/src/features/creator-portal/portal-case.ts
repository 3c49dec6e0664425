import type { OwnCreator } from '../../../../src/contract/creators.js';

/** The pages of the portal (creator spec, section 2). The spec numbers them 1 and 2, 3, 3.5, 4, 5, 6 and 7. */
export type PortalCase = 'sign-up' | 'application' | 'terms' | 'pending' | 'model-training' | 'dashboard' | 'rejected';

/** Acceptance counts this long after the click, although the server may not know of it yet. */
const JUST_ACCEPTED_MS = 10_000;
/** Accounts younger than this may get their creator record a moment later. */
const NEW_ACCOUNT_MS = 5 * 60_000;

/** How often, and after how long each, the record of a new account is looked up again. */
export const NEW_ACCOUNT_ATTEMPTS = 3;
export const NEW_ACCOUNT_PAUSE_MS = 1_000;

type CreatorState = Pick<OwnCreator, 'creator_status' | 'deployment_name' | 'lora_id' | 'withdrawn_at'>;

interface PortalFacts {
  readonly signedIn: boolean;
  /** The state could not be loaded. */
  readonly failed: boolean;
  readonly creator: CreatorState | null;
  /** Whether fans have pictures of an earlier model. Asked only of a creator who waits for one. */
  readonly hadModel: boolean;
  /** Whether the present version of the terms is accepted. */
  readonly termsAccepted: boolean;
  readonly termsJustAccepted: boolean;
}

/**
 * Whether an active creator waits for a model. After a withdrawal the creator does not: the model is deleted, and the
 * earnings, the payout details and the way back are on the dashboard.
 */
export function waitsForModel(creator: CreatorState): boolean {
  const { creator_status: status, deployment_name: deployment, lora_id: lora, withdrawn_at: withdrawn } = creator;
  return status === 'active' && deployment === null && lora === null && withdrawn === null;
}

/**
 * The case to show, by the rules of the creator spec, section 4, in their order. A creator with pictures of an earlier
 * model keeps the dashboard while a new one is trained.
 */
export function portalCase(facts: PortalFacts): PortalCase {
  const { signedIn, failed, creator, hadModel, termsAccepted, termsJustAccepted } = facts;
  if (!signedIn) return 'sign-up';
  if (failed || creator === null) return 'application';
  if (!termsAccepted && !termsJustAccepted) return 'terms';
  if (creator.creator_status === 'rejected') return 'rejected';
  if (creator.creator_status !== 'active') return 'pending';
  return waitsForModel(creator) && !hadModel ? 'model-training' : 'dashboard';
}

/** Whether the terms were accepted within the last 10 seconds. Both instants in milliseconds. */
export function justAccepted(acceptedAt: number | null, now: number): boolean {
  return acceptedAt !== null && now >= acceptedAt && now - acceptedAt < JUST_ACCEPTED_MS;
}

interface Newcomer {
  readonly createdAt: Date | null;
  /** Navigation state: where the person comes from. */
  readonly source: string | null;
  readonly flowType: string | null;
}

/** Whether an account is so new that its creator record may still be on its way. `now` in milliseconds. */
export function isNewAccount({ createdAt, source, flowType }: Newcomer, now: number): boolean {
  if (source === 'signup' || flowType === 'new_user') return true;
  return createdAt !== null && now - createdAt.getTime() < NEW_ACCOUNT_MS;
}

/** Whether a rejected person may apply again. `now` in milliseconds. */
export function mayReapply(creator: Pick<OwnCreator, 'creator_status' | 'reapply_at'>, now: number): boolean {
  const { creator_status: status, reapply_at: from } = creator;
  return status === 'rejected' && from !== null && new Date(from).getTime() <= now;
}

import type { GenerationView, ImageModeration } from '../../../../src/contract/generation.js';
import type { ImageInfo } from '../../../../src/contract/media.js';
import { CANCELLABLE_AFTER_MS } from '../../../../src/contract/limits.js';
import type { ApiError } from '../../lib/api-error.js';
import { failureReason, INVALID_OUTPUT_TEXT } from './failure-reason.js';
import type { GenerationNavState } from './navigation.js';

const FAILED_TEXT = 'Failed to generate image. Please try again.';
/** Without an advice: the same prompt fails again, and the reason asks for another one. */
const PROMPT_REFUSED_TEXT = 'Failed to generate image';
export const REFUNDED_TEXT = 'Credits were automatically refunded for this generation';
/** Also for the rare failure before anything was charged. */
const NO_CREDITS_USED_TEXT = 'No credits were used for this generation.';
const REFUND_COMING_TEXT = 'Any credits that were used come back automatically.';
export const CONNECTION_TROUBLE_TEXT = 'Connection issues, retrying...';
const NOT_FOUND_TEXT = 'Could not find the requested generation';
export const WRONG_CREATOR_TEXT = 'Generation not found for this creator';
export const CANCEL_FAILED_TEXT = 'Failed to cancel generation. Please try again.';
const SIGN_IN_AGAIN_TEXT = 'Authentication required to access generation details. Please sign in and try again.';
export const DOWNLOAD_FAILED_TEXT = 'Failed to download image. Please try again.';
export const ARCHIVED_TEXT =
  'Creator Archived. This creator is no longer active. Only viewing this specific content is available.';

/** Message of a generation that the server cancelled because the creator withdrew. */
const CREATOR_LEFT = /this creator has left/i;
const CREATOR_LEFT_TEXT = 'This creator left before your image was finished';
const CREATOR_LEFT_DETAIL = 'The image was stopped. You did nothing wrong.';
export const LEFT_TEXT = 'This creator has left Fanvas. Images that were made before stay with their owners.';

/** For an image that an admin has taken down. Its owner reads the rule that was broken. */
const TAKEN_DOWN_TEXT = 'This image was taken down';
export const HIDDEN_BY_ADMIN_TEXT = 'An admin has hidden this image. Only you can see it.';

/** The rule that was broken, and where to appeal. */
export function moderationReason({ note }: ImageModeration): string {
  return `Reason: ${note} If you think this is a mistake, write to support.`;
}

export const PHASES = ['queued', 'drawing', 'finishing'] as const;
export type Phase = (typeof PHASES)[number];
export type GenerationState = Phase | 'completed' | 'failed' | 'cancelled' | 'timed-out';

/** One of the three steps to an image. Durations are whole seconds; null when not measured. */
export interface Step {
  readonly name: Phase;
  readonly state: 'done' | 'current' | 'waiting';
  readonly seconds: number | null;
}

/** A generation as the page shows it. */
export interface ShownGeneration {
  readonly state: GenerationState;
  readonly pending: boolean;
  /** The state in one line; announced by the live region. */
  readonly headline: string;
  /** More about what happened; null when the headline is enough. */
  readonly detail: string | null;
  /** True when the prompt was the reason of the failure: the same one fails again. */
  readonly promptRefused: boolean;
  /** The state of the refund after a failure. */
  readonly creditsNote: string | null;
  /** Whole seconds from start to end, or to now. */
  readonly elapsedSeconds: number;
  readonly steps: readonly Step[];
  /** Seconds until the fan may cancel, 0 for now; null when it cannot be cancelled. */
  readonly cancelInSeconds: number | null;
}

/** The fields that decide what is shown. */
export type GenerationFacts = Pick<
  GenerationView,
  | 'status'
  | 'error_message'
  | 'refunded'
  | 'credits_closed'
  | 'refund_reason'
  | 'created_at'
  | 'updated_at'
  | 'cancelled'
  | 'cancellable_at'
  | 'phase'
  | 'drawing_at'
  | 'finishing_at'
  | 'completed_at'
>;

/**
 * How a generation is shown at an instant (fan spec, sections 2 and 4). Unknown statuses count as in progress. A
 * failure whose message mentions a cancel is shown as cancelled.
 *
 * @param now milliseconds on the server's clock
 */
export function toShownGeneration(row: GenerationFacts, now: number): ShownGeneration {
  const state = generationState(row);
  const pending = isPhase(state);
  const end = pending ? now : Date.parse(row.completed_at ?? row.updated_at);
  return {
    state,
    pending,
    promptRefused: false,
    ...texts(row, state),
    creditsNote: pending || state === 'completed' ? null : creditsNoteOf(row),
    elapsedSeconds: secondsBetween(Date.parse(row.created_at), end),
    steps: stepsOf(row, state, now),
    cancelInSeconds:
      pending && row.cancellable_at !== null
        ? Math.max(0, Math.ceil((Date.parse(row.cancellable_at) - now) / 1000))
        : null,
  };
}

/** For this long after a start, the navigation state counts as fresh: the generation is shown as pending at once. */
const FRESH_MS = 30_000;

/** The facts of a generation that was just started in this tab, before the first answer of the server. */
export function placeholderOf({ prompt, startedAt }: GenerationNavState): GenerationFacts | null {
  if (prompt === undefined || startedAt === undefined || Date.now() - startedAt > FRESH_MS) return null;
  const created = new Date(startedAt).toISOString();
  return {
    status: 'pending',
    error_message: null,
    refunded: false,
    credits_closed: false,
    refund_reason: null,
    created_at: created,
    updated_at: created,
    cancelled: false,
    cancellable_at: new Date(startedAt + CANCELLABLE_AFTER_MS).toISOString(),
    phase: 'queued',
    drawing_at: null,
    finishing_at: null,
    completed_at: null,
  };
}

/** Whether its owner can delete it: it has ended, and no admin has taken it down. */
export function isDeletable({ status, moderation }: GenerationView): boolean {
  return status !== 'pending' && moderation?.decision !== 'taken_down';
}

/** A completed generation without an image is shown as failed, or as taken down. */
export function withoutImage(view: ShownGeneration, { moderation }: GenerationView): ShownGeneration {
  if (moderation?.decision === 'taken_down') {
    return { ...view, state: 'failed', headline: TAKEN_DOWN_TEXT, detail: moderationReason(moderation) };
  }
  return {
    ...view,
    state: 'failed',
    headline: FAILED_TEXT,
    detail: INVALID_OUTPUT_TEXT,
  };
}

/** Older rows have an address only. */
export function imageOf(row: GenerationView): ImageInfo | null {
  if (row.image || row.image_url === null) return row.image;
  return { url: row.image_url, width: 1024, height: 1024, thumbhash: '', sources: [] };
}

/** Announced when it changes: the state, and after a failure its reason and the credits. */
export function announcement({ headline, detail, creditsNote }: ShownGeneration): string {
  if (creditsNote === null) return headline;
  return [headline, detail, creditsNote]
    .filter((text) => text !== null)
    .map((text) => (text.endsWith('.') ? text : `${text}.`))
    .join(' ');
}

/** Text for a generation that this viewer may not see (fan spec, section 8). */
export function refusalText({ status }: ApiError): string {
  if (status === 401) return 'Authentication error. Please try again.';
  return status === 403 ? SIGN_IN_AGAIN_TEXT : NOT_FOUND_TEXT;
}

/** Message for a cancel that comes too early. */
export function cancelTooEarlyText(seconds: number): string {
  return `Please wait ${seconds} more seconds before cancelling`;
}

/** `0:14`, `12:05`. */
export function formatElapsed(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** `3 s`, `2 min 5 s`. */
export function formatDuration(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/**
 * `20 November 2026 at 21:04`, in UTC or the browser's time zone. It is written without `Intl.DateTimeFormat`, which
 * takes a phone more than 100 ms the first time.
 */
export function formatCreatedAt(iso: string, timeZone: 'UTC' | 'local' = 'local'): string {
  const instant = new Date(iso);
  const offset = timeZone === 'UTC' ? 0 : instant.getTimezoneOffset() * 60_000;
  const shown = new Date(instant.getTime() - offset);
  const time = shown.toISOString().slice(11, 16);
  return `${shown.getUTCDate()} ${MONTHS[shown.getUTCMonth()]} ${shown.getUTCFullYear()} at ${time}`;
}

function generationState(row: GenerationFacts): GenerationState {
  switch (row.status as string) {
    case 'completed':
    case 'succeeded':
      return 'completed';
    case 'canceled':
    case 'cancelled':
      return 'cancelled';
    case 'failed':
      if (row.cancelled || /cancel/i.test(row.error_message ?? '')) return 'cancelled';
      return row.refund_reason === 'timeout' || /timed out/i.test(row.error_message ?? '') ? 'timed-out' : 'failed';
    default:
      return row.phase ?? 'queued';
  }
}

/** True when the generation was cancelled because the creator withdrew. */
export function isStoppedByWithdrawal(row: Pick<GenerationView, 'error_message'>): boolean {
  return CREATOR_LEFT.test(row.error_message ?? '');
}

function isPhase(state: GenerationState): state is Phase {
  return (PHASES as readonly string[]).includes(state);
}

function texts(
  row: GenerationFacts,
  state: GenerationState,
): Pick<ShownGeneration, 'headline' | 'detail'> & Partial<ShownGeneration> {
  switch (state) {
    case 'queued':
    case 'drawing':
    case 'finishing':
      return { headline: `Generating: ${state}`, detail: null };
    case 'completed':
      return { headline: 'Your image is ready', detail: null };
    case 'cancelled':
      if (isStoppedByWithdrawal(row)) {
        return { headline: CREATOR_LEFT_TEXT, detail: CREATOR_LEFT_DETAIL };
      }
      return { headline: cancelledHeadline(row), detail: null };
    case 'timed-out':
      return { headline: 'Generation timed out', detail: 'Generation took too long and has timed out.' };
    case 'failed': {
      const { text: detail, promptRefused } = failureReason(row.error_message);
      return { headline: promptRefused ? PROMPT_REFUSED_TEXT : FAILED_TEXT, detail, promptRefused };
    }
  }
}

/** A failure whose message mentions a cancel counts as cancelled; its refund says who cancelled. */
function cancelledHeadline({ refund_reason: reason }: GenerationFacts): string {
  const byUser = reason === null || reason === 'user_cancelled';
  return byUser ? 'Generation was canceled by user' : 'Generation was canceled by the image provider';
}

function creditsNoteOf(row: GenerationFacts): string {
  if (row.refunded) return REFUNDED_TEXT;
  return row.credits_closed ? NO_CREDITS_USED_TEXT : REFUND_COMING_TEXT;
}

function stepsOf(row: GenerationFacts, state: GenerationState, now: number): Step[] {
  const current = isPhase(state) ? PHASES.indexOf(state) : PHASES.length;
  // Each step lasts until the next known start.
  const starts = [row.created_at, row.drawing_at, row.finishing_at, row.completed_at].map((at) =>
    at === null ? null : Date.parse(at),
  );
  return PHASES.map((name, index) => {
    const start = starts[index] ?? null;
    const end = index === current ? now : (starts.slice(index + 1).find((at) => at !== null) ?? null);
    return {
      name,
      state: index < current ? 'done' : index === current ? 'current' : 'waiting',
      seconds: index > current || start === null || end === null ? null : secondsBetween(start, end),
    };
  });
}

function secondsBetween(start: number, end: number): number {
  return Math.max(0, Math.floor((end - start) / 1000));
}

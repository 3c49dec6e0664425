import { DomainError } from '../../platform/domain-error.js';
import { type ReplicateSettings } from '../../platform/config/provider-settings.js';
import { MESSAGES } from '../messages.js';
import { callReplicate } from '../providers/replicate-call.js';
import {
  MODERATION_CATEGORIES,
  type ModerationCategory,
  type ModerationVerdict,
  PromptModerator,
} from './prompt-moderator.js';

/** The provider holds the connection open for this long while the model runs. */
const WAIT_SECONDS = 8;
const CALL_TIMEOUT_MS = 10_000;
const RETRY_AFTER_SECONDS = 10;

/** Hazard codes of Llama Guard that our policy forbids. The others, such as legal advice, are not about images. */
const CATEGORY_OF_HAZARD: Readonly<Record<string, ModerationCategory>> = {
  S3: 'sexual',
  S4: 'minors',
  S5: 'real_people',
  S7: 'real_people',
  S10: 'hate',
  S11: 'self_harm',
  S12: 'sexual',
};

/** Gravest first. */
const BY_GRAVITY: readonly ModerationCategory[] = [
  'minors',
  ...MODERATION_CATEGORIES.filter((category) => category !== 'minors'),
];

/**
 * Asks a classifier of the Llama Guard family on Replicate about every prompt that the local rules accept. It fails
 * closed: without a readable verdict sexual content and minors cannot be ruled out, so the generation does not start.
 */
export class ReplicateModerator extends PromptModerator {
  /** @param model `owner/name`, or `owner/name:version` */
  constructor(
    private readonly rules: PromptModerator,
    private readonly settings: ReplicateSettings,
    private readonly model: string,
  ) {
    super();
  }

  /** @throws DomainError 'unavailable' when the classifier has no verdict */
  override async moderate(prompt: string): Promise<ModerationVerdict> {
    const local = await this.rules.moderate(prompt);
    if (local.category !== null) return local;
    const category = await this.classify(prompt);
    if (category === undefined) throw noVerdict();
    return { category };
  }

  /** @returns the gravest category, null for an accepted prompt, undefined for an unreadable verdict */
  private async classify(prompt: string): Promise<ModerationCategory | null | undefined> {
    const target = this.model.includes(':') ? { version: this.model } : { model: this.model };
    try {
      const prediction = await callReplicate(
        this.settings,
        (client) => client.predictions.create({ ...target, input: { prompt }, wait: WAIT_SECONDS }),
        { timeoutMs: CALL_TIMEOUT_MS },
      );
      return prediction.status === 'succeeded' ? readVerdict(prediction.output) : undefined;
    } catch (cause) {
      throw noVerdict(cause);
    }
  }
}

function noVerdict(cause?: unknown): DomainError {
  return new DomainError('unavailable', MESSAGES.startFailed, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}

/** Reads `safe`, or `unsafe` with hazard codes on the next line, as one string or as a list of its parts. */
export function readVerdict(output: unknown): ModerationCategory | null | undefined {
  const text = (Array.isArray(output) ? output.join('') : String(output)).trim();
  if (text === 'safe') return null;
  if (!/^unsafe\s+S\d+(?:\s*,\s*S\d+)*$/.test(text)) return undefined;
  const categories = new Set((text.match(/S\d+/g) ?? []).map((hazard) => CATEGORY_OF_HAZARD[hazard]));
  return BY_GRAVITY.find((category) => categories.has(category)) ?? null;
}

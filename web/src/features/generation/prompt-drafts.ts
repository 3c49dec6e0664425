import { DEFAULT_ASPECT_RATIO, isAspectRatio, type AspectRatio } from '../../../../src/contract/aspect-ratios.js';
import { localStore, type SmallStore } from '../../lib/storage.js';

/** How long an unsent prompt is kept, in milliseconds: long enough for a sign-up, but limited on a shared computer. */
export const DRAFT_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** An unsent prompt, not empty, and the shape that was chosen for it. */
export interface PromptDraft {
  readonly prompt: string;
  readonly aspectRatio: AspectRatio;
}

/**
 * Keeps the unsent prompt of each creator through a sign-up, a reload, an error or a step back. Uses local storage,
 * because a sign-up that is confirmed by e-mail may continue in another tab.
 */
export class PromptDrafts {
  constructor(
    private readonly store: SmallStore,
    private readonly now: () => number = Date.now,
  ) {}

  /** The draft for this creator; null when there is none or it is older than a day. */
  read(creatorId: string): PromptDraft | null {
    const draft = parse(this.store.get(keyOf(creatorId)));
    if (!draft) return null;
    const { savedAt, ...kept } = draft;
    if (this.now() - savedAt <= DRAFT_LIFETIME_MS) return kept;
    this.clear(creatorId);
    return null;
  }

  /** Stores the draft; an empty prompt removes it. */
  save(creatorId: string, { prompt, aspectRatio }: PromptDraft): void {
    if (prompt === '') this.clear(creatorId);
    else this.store.set(keyOf(creatorId), JSON.stringify({ prompt, aspectRatio, savedAt: this.now() }));
  }

  clear(creatorId: string): void {
    this.store.remove(keyOf(creatorId));
  }
}

/** The drafts of this browser. */
export const promptDrafts = new PromptDrafts(localStore);

function keyOf(creatorId: string): string {
  return `fanvas.prompt-draft.${creatorId}`;
}

/** Null for a missing or invalid draft. Older ones have no shape. */
function parse(stored: string | null): (PromptDraft & { readonly savedAt: number }) | null {
  try {
    const { prompt, aspectRatio, savedAt } = JSON.parse(stored ?? '{}') as Record<string, unknown>;
    if (typeof prompt !== 'string' || prompt === '' || typeof savedAt !== 'number') return null;
    return { prompt, aspectRatio: isAspectRatio(aspectRatio) ? aspectRatio : DEFAULT_ASPECT_RATIO, savedAt };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

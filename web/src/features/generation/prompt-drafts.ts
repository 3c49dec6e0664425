import { localStore, type SmallStore } from '../../lib/storage.js';

/** How long an unsent prompt is kept, in milliseconds: long enough for a sign-up, but limited on a shared computer. */
export const DRAFT_LIFETIME_MS = 24 * 60 * 60 * 1000;

/**
 * Keeps the unsent prompt of each creator through a sign-up, a reload, an error or a step back. Uses local storage,
 * because a sign-up that is confirmed by e-mail may continue in another tab.
 */
export class PromptDrafts {
  constructor(
    private readonly store: SmallStore,
    private readonly now: () => number = Date.now,
  ) {}

  /** The draft for this creator; '' when there is none or it is older than a day. */
  read(creatorId: string): string {
    const draft = parse(this.store.get(keyOf(creatorId)));
    if (!draft) return '';
    if (this.now() - draft.savedAt <= DRAFT_LIFETIME_MS) return draft.prompt;
    this.clear(creatorId);
    return '';
  }

  /** Stores the prompt; an empty one removes the draft. */
  save(creatorId: string, prompt: string): void {
    if (prompt === '') this.clear(creatorId);
    else this.store.set(keyOf(creatorId), JSON.stringify({ prompt, savedAt: this.now() }));
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

/** Null for a missing or invalid draft. */
function parse(stored: string | null): { prompt: string; savedAt: number } | null {
  try {
    const { prompt, savedAt } = JSON.parse(stored ?? '{}') as Record<string, unknown>;
    return typeof prompt === 'string' && typeof savedAt === 'number' ? { prompt, savedAt } : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

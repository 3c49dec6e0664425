import { localStore, type SmallStore } from '../../lib/storage.js';

/** How many prompts are kept for each user. */
export const PROMPTS_KEPT = 20;

/** The last prompts of each user of this browser, newest first, without repeats. They are never sent. */
export class PromptHistory {
  constructor(private readonly store: SmallStore) {}

  list(userId: string): readonly string[] {
    return parse(this.store.get(keyOf(userId)));
  }

  /** Adds a prompt at the front; an existing one moves there. */
  add(userId: string, prompt: string): void {
    const others = this.list(userId).filter((known) => known !== prompt);
    this.save(userId, [prompt, ...others].slice(0, PROMPTS_KEPT));
  }

  remove(userId: string, prompt: string): void {
    this.save(
      userId,
      this.list(userId).filter((known) => known !== prompt),
    );
  }

  clear(userId: string): void {
    this.store.remove(keyOf(userId));
  }

  private save(userId: string, prompts: readonly string[]): void {
    if (prompts.length === 0) this.clear(userId);
    else this.store.set(keyOf(userId), JSON.stringify(prompts));
  }
}

/** The prompts of this browser. */
export const promptHistory = new PromptHistory(localStore);

function keyOf(userId: string): string {
  return `fanvas.prompt-history.${userId}`;
}

/** Empty for a missing or invalid history. */
function parse(stored: string | null): readonly string[] {
  try {
    const prompts: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(prompts) ? prompts.filter((prompt) => typeof prompt === 'string').slice(0, PROMPTS_KEPT) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

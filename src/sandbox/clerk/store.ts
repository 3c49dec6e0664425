import { join } from 'node:path';
import { readJson, writeJson } from '../json-file.js';
import { SandboxState, type StoredState } from './state.js';

/** Maximum delay before an unimportant change is written. */
const LAZY_COMMIT_MS = 5_000;

/** The sandbox's state, in memory and on disk. The file survives SIGKILL and always holds one complete commit. */
export class Store {
  private writing: Promise<void> | null = null;
  private queued: Promise<void> | null = null;
  private lazyTimer: NodeJS.Timeout | null = null;

  private constructor(
    private readonly file: string,
    readonly state: SandboxState,
  ) {}

  /** Reads the state in `dataDir`, or starts empty. */
  static async open(dataDir: string, now: number): Promise<Store> {
    const file = join(dataDir, 'state.json');
    const state = SandboxState.fromStored((await readJson<StoredState>(file)) ?? {});
    state.prune(now);
    return new Store(file, state);
  }

  /** Resolves when every change before the call is on disk. Calls during a write share the next write. */
  commit(): Promise<void> {
    if (this.writing === null) {
      this.writing = writeJson(this.file, this.state.toStored()).finally(() => {
        this.writing = null;
      });
      return this.writing;
    }
    this.queued ??= this.writing
      // The callers of that write get its error; this write retries with newer state.
      .catch(() => undefined)
      .then(() => {
        this.queued = null;
        return this.commit();
      });
    return this.queued;
  }

  /** For changes that may be lost in a crash, such as the time of last activity. */
  commitLater(onError: (error: unknown) => void): void {
    if (this.lazyTimer) return;
    this.lazyTimer = setTimeout(() => {
      this.lazyTimer = null;
      this.commit().catch(onError);
    }, LAZY_COMMIT_MS).unref();
  }

  async close(): Promise<void> {
    if (this.lazyTimer) clearTimeout(this.lazyTimer);
    this.lazyTimer = null;
    await this.commit();
  }
}

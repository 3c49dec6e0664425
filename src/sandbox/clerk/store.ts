import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SandboxState } from './state.js';

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
    await mkdir(dataDir, { recursive: true });
    const file = join(dataDir, 'state.json');
    const text = await readIfThere(file);
    const state = text === null ? new SandboxState() : SandboxState.fromJson(text);
    state.prune(now);
    return new Store(file, state);
  }

  /** Resolves when every change before the call is on disk. Calls during a write share the next write. */
  commit(): Promise<void> {
    if (this.writing === null) {
      this.writing = writeDurably(this.file, this.state.toJson()).finally(() => {
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

/** The file's text, or null when it does not exist. */
export async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissingFile(error)) return null;
    throw error;
  }
}

/** Replaces `file` so that a crash leaves either the old or the new content. Readable by its owner only. */
export async function writeDurably(file: string, text: string): Promise<void> {
  const temporary = `${file}.new`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** By its code: errors of Node's file system come from another realm in test runners, where instanceof fails. */
export function isMissingFile(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
}

/** Why a client must come back later. */
export type Refusal = 'too many of this client' | 'too many';

export interface FairQueueLimits {
  /** Works that run at the same time. */
  readonly running: number;
  /** Of these, works of one client. */
  readonly runningEach: number;
  /** Works that wait. One work that two clients wait for counts twice. */
  readonly waiting: number;
  /** Of these, works of one client. */
  readonly waitingEach: number;
}

/**
 * Decides which work runs next. The clients take turns, so a client with many works delays another one by at most one
 * work. Clients that wait for the same work share it.
 */
export class FairQueue {
  /** The waiting works of each client. The client whose turn is next comes first. */
  private readonly lines = new Map<string, Set<string>>();
  /** The client in whose turn each running work began. */
  private readonly running = new Map<string, string>();

  constructor(private readonly limits: FairQueueLimits) {}

  /** Lets a client wait for a work. Null: it waits, or the work runs already. */
  enter(client: string, work: string): Refusal | null {
    const line = this.lines.get(client) ?? new Set();
    if (this.running.has(work) || line.has(work)) return null;
    if (line.size >= this.limits.waitingEach) return 'too many of this client';
    const waiting = [...this.lines.values()].reduce((sum, { size }) => sum + size, 0);
    if (waiting >= this.limits.waiting) return 'too many';
    this.lines.set(client, line.add(work));
    return null;
  }

  /** The client no longer waits for the work. */
  leave(client: string, work: string): void {
    const line = this.lines.get(client);
    line?.delete(work);
    if (line?.size === 0) this.lines.delete(client);
  }

  /** Begins the next work. Null: none waits, or all places are taken. */
  next(): string | null {
    if (this.running.size >= this.limits.running) return null;
    for (const [client, line] of this.lines) {
      const own = [...this.running.values()].filter((other) => other === client).length;
      const [work] = line;
      if (work === undefined || own >= this.limits.runningEach) continue;
      // Its next turn is after those of all others.
      this.lines.delete(client);
      this.lines.set(client, line);
      for (const other of [...this.lines.keys()]) this.leave(other, work);
      this.running.set(work, client);
      return work;
    }
    return null;
  }

  /** The work has ended. */
  end(work: string): void {
    this.running.delete(work);
  }
}

/** Remembers a limited number of ids for a limited time. When it is full, the oldest entry is dropped. */
export class RecentIds {
  private readonly addedAt = new Map<string, number>();

  constructor(
    private readonly capacity: number,
    private readonly lifetimeMs: number,
  ) {}

  has(id: string, now: Date): boolean {
    const addedAt = this.addedAt.get(id);
    return addedAt !== undefined && now.getTime() - addedAt < this.lifetimeMs;
  }

  add(id: string, now: Date): void {
    this.addedAt.delete(id);
    this.addedAt.set(id, now.getTime());
    if (this.addedAt.size <= this.capacity) return;
    for (const oldest of this.addedAt.keys()) {
      this.addedAt.delete(oldest);
      return;
    }
  }

  delete(id: string): void {
    this.addedAt.delete(id);
  }
}

import { type Clock } from '../clock.js';

const PERIOD_MS = 60_000;

/**
 * Counts what each network does in a minute. In the memory of this process: it is for what costs less than the
 * statement that a shared counter needs.
 */
export class NetworkCounts {
  private readonly counts = new Map<string, number>();
  private endsAt = 0;

  /** @param max what a network may do in a minute */
  constructor(
    private readonly max: number,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  count(network: string, amount = 1): void {
    this.begin();
    this.counts.set(network, (this.counts.get(network) ?? 0) + amount);
  }

  /** Seconds until this network may do it again; 0: now. */
  secondsToWait(network: string): number {
    this.begin();
    if ((this.counts.get(network) ?? 0) < this.max) return 0;
    return Math.ceil((this.endsAt - this.clock.now().getTime()) / 1000);
  }

  private begin(): void {
    const now = this.clock.now().getTime();
    if (now < this.endsAt) return;
    this.counts.clear();
    this.endsAt = now + PERIOD_MS;
  }
}

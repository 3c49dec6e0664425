import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Notifications } from '../../platform/database/notifications.js';
import { GENERATION_CHANNEL } from '../migrations.js';

/** A change that was not announced is read after this time at the latest. */
const READ_EVERY_MS = 15_000;

type Listener = () => void;

/**
 * Notifies listeners of changed generations, across processes. It notifies all of them after each reconnect, because
 * changes may have been missed, and every 15 seconds in any case.
 */
@Injectable()
export class GenerationChanges implements OnModuleDestroy {
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly timer = setInterval(() => this.notifyAll(), READ_EVERY_MS).unref();
  private listening: Promise<unknown> | null = null;

  constructor(private readonly notifications: Notifications) {}

  /** Calls back at least once after each change. Resolves once it listens; returns the function that stops it. */
  async listen(generationId: string, listener: Listener): Promise<() => void> {
    const listeners = this.listeners.get(generationId) ?? new Set<Listener>();
    this.listeners.set(generationId, listeners.add(listener));
    await (this.listening ??= this.notifications.listen(GENERATION_CHANNEL, {
      notified: (id) => this.notify(id),
      follow: (following) => following && this.notifyAll(),
    }));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.listeners.delete(generationId);
    };
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private notifyAll(): void {
    for (const id of this.listeners.keys()) this.notify(id);
  }

  private notify(generationId: string): void {
    for (const listener of this.listeners.get(generationId) ?? []) listener();
  }
}

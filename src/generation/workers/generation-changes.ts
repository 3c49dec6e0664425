import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { type Pool, type PoolClient } from 'pg';
import { PG_POOL } from '../../platform/database/database.js';
import { GENERATION_CHANNEL } from '../migrations.js';

const RECONNECT_MS = 1_000;

type Listener = () => void;

/**
 * Notifies listeners of changed generations, across processes. One database connection listens for the whole process,
 * from the first listener on. After a reconnect it notifies all listeners, because changes may have been missed.
 */
@Injectable()
export class GenerationChanges implements OnModuleDestroy {
  private readonly logger = new Logger(GenerationChanges.name);
  private readonly listeners = new Map<string, Set<Listener>>();
  private connection: Promise<PoolClient | null> | null = null;
  private reconnect: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(@Inject(PG_POOL) private readonly pool: Pool) {}

  /** Calls back at least once after each change. Resolves once it listens; returns the function that stops it. */
  async listen(generationId: string, listener: Listener): Promise<() => void> {
    const listeners = this.listeners.get(generationId) ?? new Set<Listener>();
    this.listeners.set(generationId, listeners.add(listener));
    await this.connected();
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.listeners.delete(generationId);
    };
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.reconnect);
    const client = await this.connection;
    this.connection = null;
    client?.release(true);
  }

  private async connected(): Promise<void> {
    this.connection ??= this.connect();
    await this.connection;
  }

  private async connect(): Promise<PoolClient | null> {
    if (this.stopped) return null;
    let client: PoolClient;
    try {
      client = await this.pool.connect();
    } catch (error) {
      this.connectLater(error);
      return null;
    }
    let broken = false;
    const onBroken = (error: Error): void => {
      if (broken) return;
      broken = true;
      client.release(error);
      this.connectLater(error);
    };
    client.on('error', onBroken);
    client.on('notification', (message) => {
      if (message.payload !== undefined) this.notify(message.payload);
    });
    try {
      await client.query(`listen ${GENERATION_CHANNEL}`);
      return client;
    } catch (error) {
      onBroken(error instanceof Error ? error : new Error(String(error)));
      return null;
    }
  }

  private connectLater(error: unknown): void {
    this.connection = null;
    if (this.stopped) return;
    this.logger.warn('Listening for changed generations failed; reconnecting.', { error });
    this.reconnect = setTimeout(() => {
      void this.connected().then(() => {
        for (const id of this.listeners.keys()) this.notify(id);
      });
    }, RECONNECT_MS);
  }

  private notify(generationId: string): void {
    for (const listener of this.listeners.get(generationId) ?? []) listener();
  }
}

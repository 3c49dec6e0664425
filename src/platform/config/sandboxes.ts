import { type INestApplicationContext } from '@nestjs/common';
import { type FastifyInstance } from 'fastify';
import { type Clock } from '../clock.js';
import { type Config } from './config.js';
import { type SandboxSettings } from './provider-settings.js';

/**
 * Local replacements for the providers without keys. `src/sandbox` implements them as a compile unit of its own, which
 * production images leave out; the composition root loads it on demand and uses only these types.
 */
export interface Sandboxes {
  /** How to reach each provider that has a sandbox. */
  readonly settings: SandboxSettings;
  /** Demo accounts for the sign-in page; null when the identity provider has keys. */
  readonly demoAccounts: DemoAccounts | null;
  /** Registers the sandboxes' routes on the app's own server. Call it before the server listens. */
  mount(server: FastifyInstance): Promise<void>;
  /**
   * Fills an empty installation with demo creators and their galleries. Does nothing when they exist, when the settings
   * ask for none, or when identity or image generation has keys. Waits while a store does not answer.
   */
  seedDemo(app: INestApplicationContext, progress: DemoProgress): Promise<void>;
  close(): Promise<void>;
}

/** Receives the progress of the demo. */
export interface DemoProgress {
  /** Called after each picture. */
  drawn(done: number, total: number): void;
  /** Called once when a store does not answer, and again only after a step has succeeded. */
  waiting(reason: string): void;
}

export interface DemoAccounts {
  readonly password: string;
  /** Accepted wherever a code is sent by e-mail. */
  readonly emailCode: string;
  readonly accounts: readonly { readonly email: string; readonly role: string }[];
}

/** Starts a sandbox for every provider without keys. */
export type StartSandboxes = (config: Config, clock: Clock) => Promise<Sandboxes>;

import { OperatorMistake } from '../operator-mistake.js';
import { type INestApplicationContext, type Provider } from '@nestjs/common';
import { type FastifyInstance } from 'fastify';
import { type Clock } from '../clock.js';
import { type FileStorage } from '../storage/file-storage.js';
import { type IdGenerator } from '../ids.js';
import { type Locks } from '../locks.js';
import { type Config } from './config.js';
import { type ProviderSettings, type SandboxSettings } from './provider-settings.js';

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
  /** Called after each image of the past. */
  remembered(done: number, total: number): void;
  /** Called once when a store does not answer, and again only after a step has succeeded. */
  waiting(reason: string): void;
}

/** The parts of the product that differ in the past. */
export interface PastParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly providers: ProviderSettings;
  readonly storage: FileStorage;
  /** Replace providers of the generation context. */
  readonly replacements: Provider[];
  /** Called when the operator's decisions are recorded, and before the workers of the contexts start. */
  readonly begin: () => void;
}

/**
 * Opens the contexts on another clock, without HTTP, seals, verification and closing. Projections are registered and do
 * not run. The caller closes it.
 */
export type OpenPast = (parts: PastParts) => Promise<INestApplicationContext>;

/** The demo's past needs these parts of the composition. */
export interface PastOptions {
  readonly config: Config;
  readonly storage: FileStorage;
  /** Folder of the storage. */
  readonly mediaDir: string;
  readonly open: OpenPast;
  readonly locks: Locks;
  readonly progress: DemoProgress;
}

/** Another process makes the demo's past in the same database. */
export class PastBusyError extends OperatorMistake {
  constructor() {
    super("Another process is making the demo's past in this database. Use that one, or start again when it is ready.");
  }
}

/** The compile unit `src/sandbox`. */
export interface SandboxUnit {
  readonly startSandboxes: StartSandboxes;
  /**
   * Gives an empty installation a past: the demo creators, their fans, and what they did in the months before now. Does
   * nothing when the ledger has a beginning already, unless that was an interrupted past. Must be called before the
   * sandboxes start.
   * @throws PastBusyError while another process makes it
   */
  readonly makePast: (options: PastOptions) => Promise<void>;
}

export interface DemoAccounts {
  readonly password: string;
  /** Accepted wherever a code is sent by e-mail. */
  readonly emailCode: string;
  readonly accounts: readonly { readonly email: string; readonly role: string }[];
}

/** Where sandboxes are reached, and where they find the app. Origins. */
export interface SandboxServer {
  /** The app and its SDKs call the sandboxes there. */
  readonly sandboxes: string;
  /** Webhooks go there. */
  readonly app: string;
}

/** Starts a sandbox for every provider without keys. Without a server, the app's own one runs them. */
export type StartSandboxes = (config: Config, clock: Clock, server?: SandboxServer) => Promise<Sandboxes>;

/** Path at which a process of sandboxes describes itself. */
export const SANDBOXES_PATH = '/__sandbox/settings';

/** The answer of a process of sandboxes: how to reach them. */
export interface SandboxesAnswer {
  readonly settings: Required<SandboxSettings>;
  readonly demoAccounts: DemoAccounts | null;
  /** Paths that browsers call on the app's origin. The app passes their requests on. */
  readonly prefixes: readonly string[];
}

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AppProcess, freePort, startApp } from './app-process.js';
import { type TestDatabase, withTestDatabase } from './database.js';
import { runLedger } from './ledger-cli.js';
import { type Proxy, startProxy } from './proxy.js';

/** An installation of several processes, with the sandboxes in a process of their own and a proxy in front. */
export class ProxiedInstallation {
  /** By the port of each process. */
  private readonly apps = new Map<number, AppProcess>();
  private proxy: Proxy | undefined;
  private remote: AppProcess | undefined;

  private constructor(
    readonly dataDir: string,
    readonly database: TestDatabase<unknown>,
    /** The port of the proxy. */
    readonly port: number,
    private readonly sandboxesPort: number,
    private readonly settings: Readonly<Record<string, string>>,
    /** The build that makes the installation; null for the current one. */
    private readonly olderServer: string | null,
  ) {}

  /**
   * Makes an installation with a demo, which no process serves yet.
   * @param settings of the demo and of the sandboxes
   * @param olderServer the folder `dist/server` of an older build, which makes the installation
   */
  static async create(
    settings: Readonly<Record<string, string>>,
    olderServer: string | null = null,
  ): Promise<ProxiedInstallation> {
    const dataDir = await mkdtemp(join(tmpdir(), 'fanvas-processes-'));
    // The template has the migrations of the current build.
    const database = await withTestDatabase({ empty: olderServer !== null });
    const all = { FANVAS_MASTER_KEY: randomBytes(32).toString('base64'), LOG_LEVEL: 'error', ...settings };
    const made = new ProxiedInstallation(dataDir, database, await freePort(), await freePort(), all, olderServer);
    try {
      await made.makeDemo();
    } catch (error) {
      await made.remove();
      throw error;
    }
    return made;
  }

  get url(): string {
    return `http://localhost:${this.port}`;
  }

  /** Address of the sandboxes. */
  get sandboxes(): string {
    return `http://127.0.0.1:${this.sandboxesPort}`;
  }

  get ports(): readonly number[] {
    return [...this.apps.keys()];
  }

  /** Environment of the processes and of the command lines. */
  get env(): Readonly<Record<string, string>> {
    return {
      ...this.settings,
      DATABASE_URL: this.database.url,
      ...(this.olderServer === null ? { DATABASE_MIGRATION_URL: this.database.ownerUrl } : {}),
      SANDBOXES_URL: this.sandboxes,
      PUBLIC_URL: this.url,
      TRUST_PROXY: 'true',
    };
  }

  /** Starts these many processes, one after the other, and HAProxy. */
  async start(count: number): Promise<void> {
    for (let started = 0; started < count; started += 1) await this.startProcess(await freePort());
    await this.startProxy(this.ports);
  }

  /** Starts HAProxy in front of these ports, at one of which a process must answer. */
  async startProxy(ports: readonly number[]): Promise<void> {
    this.proxy = await startProxy('haproxy', this.port, ports);
  }

  /** Starts a process and waits until it is ready. */
  async startProcess(
    port: number,
    env: Readonly<Record<string, string>> = {},
    server: string | null = null,
  ): Promise<AppProcess> {
    const build = server === null ? {} : { server };
    const app = await startApp({ dataDir: this.dataDir, port, env: { ...this.env, ...env }, ...build });
    this.apps.set(port, app);
    return app;
  }

  /** Whether the proxy sends requests to all processes. */
  async servesAll(): Promise<boolean> {
    return (await this.proxy?.served())?.length === this.apps.size;
  }

  /** Kills the process at the port, like a power cut. */
  async kill(port: number): Promise<void> {
    await this.apps.get(port)?.kill();
  }

  /** Output of the last process at the port. */
  outputOf(port: number): string {
    return this.apps.get(port)?.output() ?? '';
  }

  /** Output of the proxy: which process it found ready or not, and when. */
  proxyOutput(): string {
    return this.proxy?.output() ?? '';
  }

  /** Runs `npm run ledger`. */
  ledger(...args: string[]): Promise<{ code: number | null; output: string }> {
    return runLedger(this, ...args);
  }

  /** Stops everything but the sandboxes. */
  async stop(): Promise<void> {
    await this.proxy?.stop();
    this.proxy = undefined;
    await Promise.all([...this.apps.values()].map((app) => app.stop()));
    this.apps.clear();
  }

  async remove(): Promise<void> {
    await this.stop();
    await this.remote?.stop();
    await this.database.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** One process with sandboxes of its own makes the demo, then the process of the sandboxes goes on with them. */
  private async makeDemo(): Promise<void> {
    const { SANDBOXES_URL: _, ...env } = this.env;
    const build = this.olderServer === null ? {} : { server: this.olderServer };
    const first = await startApp({ dataDir: this.dataDir, port: this.port, env, ...build });
    await first.stop();
    this.remote = await startApp({
      file: 'sandbox/process.js',
      dataDir: this.dataDir,
      port: this.port,
      env: { ...this.settings, SANDBOXES_PORT: String(this.sandboxesPort) },
    });
  }
}

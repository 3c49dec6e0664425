import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Pool } from 'pg';
import { createPool } from '../../src/platform/database/pool.js';
import { startEmbeddedPostgres } from '../../src/platform/embedded/embedded-postgres.js';
import { type AppProcess, freePort, startApp } from './app-process.js';
import { type AttackCounts, Attackers } from './attackers.js';
import { auditCredits } from './audit.js';
import { type FanCounts, FansUnderAttack } from './fans-under-attack.js';
import { runLedger } from './ledger-cli.js';

/** The small demo and quick pictures. */
const ENVIRONMENT = { SANDBOX_DEMO: 'small', SANDBOX_DRAW_MS: '150', LOG_LEVEL: 'fatal' };

/** Shortest and longest time between two kills, ms. */
const KILL_EVERY_MS = { from: 10_000, to: 40_000 };
/** Time between the ends of two audits next to the running app, ms. */
const AUDIT_EVERY_MS = 60_000;
/** The app must answer again within this time after a kill, ms. */
const RECOVERY_MS = 90_000;
/** All generations must have ended this long after the attack, ms. */
const SETTLE_MS = 300_000;
/** Starts that may fail in a row, because another kill hit them. */
const FAILED_STARTS = 5;

/**
 * `process`: SIGKILL to the app. `stop`: SIGTERM. `session`: a database session is terminated. `backend`: SIGKILL to a
 * server process of Postgres, which then restarts itself. `postmaster`: SIGKILL to Postgres itself.
 */
export const KILLS = ['process', 'stop', 'session', 'backend', 'postmaster'] as const;
export type Kill = (typeof KILLS)[number];

export interface AttackReport {
  readonly kills: Readonly<Record<Kill, number>>;
  readonly starts: number;
  /** Longest time in which /healthz did not answer, seconds. */
  readonly longestOutageSeconds: number;
  /** Audits next to the running app that came to an end. */
  readonly audits: number;
  readonly attack: Readonly<AttackCounts>;
  readonly fans: Readonly<FanCounts>;
  /** Sentences; empty when every credit is where it belongs. */
  readonly problems: readonly string[];
}

/**
 * Attacks an installation with everything at once: hostile bodies, slow clients, fans, and kills of the app and of its
 * database. Then ends the attack, waits until all generations have ended, and audits the books with `npm run ledger`
 * and without the product's code.
 * @param dataDir empty, or with the small demo; it is removed at the end
 * @param random returns numbers from 0 to 1
 */
export async function attack(dataDir: string, minutes: number, random: () => number): Promise<AttackReport> {
  const run = new AttackRun(dataDir, await freePort(), random);
  try {
    return await run.run(minutes * 60_000);
  } finally {
    await run.remove();
  }
}

class AttackRun {
  private readonly kills: Record<Kill, number> = { process: 0, stop: 0, session: 0, backend: 0, postmaster: 0 };
  private readonly problems: string[] = [];
  private app: AppProcess | null = null;
  private starts = 0;
  private audits = 0;
  private longestOutageMs = 0;
  private lastKillAt = 0;
  private over = false;
  private readonly url: string;

  constructor(
    readonly dataDir: string,
    readonly port: number,
    private readonly random: () => number,
  ) {
    this.url = `http://localhost:${port}`;
  }

  async run(ms: number): Promise<AttackReport> {
    await this.startOnce();
    const attackers = new Attackers(this.port);
    const fans = new FansUnderAttack(this.url, () => this.lastKillAt);
    attackers.start({ senders: 4, drips: 60, idle: 200 });
    fans.start(4);
    const work = [this.keepRunning(), this.watchHealth(), this.auditRepeatedly(), this.killRepeatedly()];
    await delay(ms);
    this.over = true;
    await Promise.all([attackers.stop(), fans.stop()]);
    // A stop ends the app that keepRunning waits for.
    await this.app?.stop();
    await Promise.all(work);
    await this.auditAtTheEnd(fans);
    if (attackers.counts.internalErrors > 0) {
      this.problems.push(`${attackers.counts.internalErrors} hostile bodies were answered with 500.`);
    }
    return {
      kills: this.kills,
      starts: this.starts,
      longestOutageSeconds: Math.round(this.longestOutageMs / 1_000),
      audits: this.audits,
      attack: attackers.counts,
      fans: fans.counts,
      problems: [...this.problems, ...fans.problems],
    };
  }

  async remove(): Promise<void> {
    this.over = true;
    await this.app?.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async startOnce(): Promise<AppProcess> {
    this.app = await startApp({ dataDir: this.dataDir, port: this.port, env: ENVIRONMENT, timeoutMs: 120_000 });
    this.starts += 1;
    return this.app;
  }

  /** Starts the app again each time it ends, as a service manager does. */
  private async keepRunning(): Promise<void> {
    let failed = 0;
    let app = this.app;
    while (!this.over && failed < FAILED_STARTS) {
      const { code, signal } = (await app?.exited) ?? {};
      const expected = signal === 'SIGKILL' || code === 0 || Date.now() - this.lastKillAt < RECOVERY_MS;
      if (app && !expected) this.problems.push(`The app ended with ${signal ?? code}:\n${app.output().slice(-2_000)}`);
      if (this.over) return;
      try {
        app = await this.startOnce();
        failed = 0;
      } catch (error) {
        app = null;
        failed += 1;
        if (failed === FAILED_STARTS) this.problems.push(`The app did not start: ${(error as Error).message}`);
      }
    }
  }

  /** Measures the outages. */
  private async watchHealth(): Promise<void> {
    let answeredAt = Date.now();
    let reported = false;
    while (!this.over) {
      const answers = await fetch(`${this.url}/healthz`, { signal: AbortSignal.timeout(5_000) }).then(
        ({ ok }) => ok,
        () => false,
      );
      const outage = Date.now() - answeredAt;
      this.longestOutageMs = Math.max(this.longestOutageMs, outage);
      if (answers) {
        answeredAt = Date.now();
        reported = false;
      } else if (Date.now() - Math.max(answeredAt, this.lastKillAt) > RECOVERY_MS && !reported) {
        reported = true;
        this.problems.push(`/healthz did not answer for ${Math.round(outage / 1_000)} s.`);
      }
      await delay(250);
    }
  }

  private async killRepeatedly(): Promise<void> {
    while (!this.over) {
      const { from, to } = KILL_EVERY_MS;
      await this.pause(from + this.random() * (to - from));
      if (this.over) return;
      const kill = KILLS[Math.floor(this.random() * KILLS.length)] ?? 'process';
      this.lastKillAt = Date.now();
      if (await this.kill(kill)) this.kills[kill] += 1;
    }
  }

  /** @returns false when there was nothing to kill: the target is down from the last kill */
  private async kill(kill: Kill): Promise<boolean> {
    switch (kill) {
      case 'process':
        await this.app?.kill();
        return this.app !== null;
      case 'stop':
        await this.app?.stop();
        return this.app !== null;
      case 'session':
        return this.withDatabase(async (pool) => {
          const { rowCount } = await pool.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where backend_type = 'client backend' and pid <> pg_backend_pid() order by random() limit 1`,
          );
          return rowCount === 1;
        });
      case 'backend':
        return this.withDatabase(async (pool) => {
          const { rows } = await pool.query<{ pid: number }>(
            `select pid from pg_stat_activity
             where backend_type = 'client backend' and pid <> pg_backend_pid() order by random() limit 1`,
          );
          return rows[0] !== undefined && killIfAlive(rows[0].pid);
        });
      case 'postmaster': {
        const pid = await this.postmaster();
        return pid !== null && killIfAlive(pid);
      }
    }
  }

  private async postmaster(): Promise<number | null> {
    try {
      const file = await readFile(join(this.dataDir, 'postgres', 'server', 'data', 'postmaster.pid'), 'utf8');
      return Number(file.split('\n')[0]);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  /** Uses the running database; false when it is down. */
  private async withDatabase(work: (pool: Pool) => Promise<boolean>): Promise<boolean> {
    const pid = await this.postmaster();
    if (pid === null || !isAlive(pid)) return false;
    const server = join(this.dataDir, 'postgres', 'server');
    const [password, port] = await Promise.all(
      ['password', 'port'].map(async (name) => (await readFile(join(server, name), 'utf8')).trim()),
    );
    const pool = createPool(`postgres://fanvas:${password}@127.0.0.1:${port}/fanvas`, { max: 1 });
    try {
      return await work(pool);
    } catch {
      // The server is starting or stopping, or the session was the killed one.
      return false;
    } finally {
      await pool.end();
    }
  }

  /** An audit may fail because its database was killed. It must never report a problem. */
  private async auditRepeatedly(): Promise<void> {
    while (!this.over) {
      await this.pause(AUDIT_EVERY_MS);
      if (this.over) return;
      const { code, output } = await runLedger(this, 'verify', '--json');
      const problems = output.split('\n').filter((line) => line.startsWith('{"problem"'));
      if (code === 0) this.audits += 1;
      this.problems.push(...problems.map((line) => `An audit during the attack: ${line}`));
    }
  }

  private async auditAtTheEnd(fans: FansUnderAttack): Promise<void> {
    const app = await this.startOnce();
    const postgres = await startEmbeddedPostgres({
      folder: join(this.dataDir, 'postgres'),
      database: 'fanvas',
      guest: true,
    });
    const pool = createPool(postgres.url, { max: 2 });
    try {
      const deadline = performance.now() + SETTLE_MS;
      const look = async (): Promise<string[]> => [...(await auditCredits(pool)), ...(await fans.compareBooks(pool))];
      let problems = await look();
      while (problems.length > 0 && performance.now() < deadline) {
        await delay(1_000);
        problems = await look();
      }
      this.problems.push(...problems);
      const seal = join(this.dataDir, 'final.seal');
      const exported = join(this.dataDir, 'final.export');
      for (const verb of [
        ['seal', '--out', seal],
        ['verify', '--against', seal],
        ['replay'],
        ['reconcile', '--from', '2026-01-01'],
        ['export', '--out', exported],
        ['verify-export', exported, '--against', seal],
      ]) {
        const { code, output } = await runLedger(this, ...verb);
        if (code !== 0) this.problems.push(`ledger ${verb.join(' ')} ended with ${code}: ${output.slice(-2_000)}`);
      }
    } finally {
      await pool.end();
      await postgres.stop();
      await app.stop();
      this.app = null;
    }
  }

  /** Waits, at most until the attack is over. */
  private async pause(ms: number): Promise<void> {
    const end = Date.now() + ms;
    while (!this.over && Date.now() < end) await delay(Math.min(500, end - Date.now() + 1));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function killIfAlive(pid: number): boolean {
  if (!isAlive(pid)) return false;
  process.kill(pid, 'SIGKILL');
  return true;
}

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Pool } from 'pg';
import { createPool } from '../../src/platform/database/pool.js';
import { startEmbeddedPostgres } from '../../src/platform/embedded/embedded-postgres.js';
import { type ApiUser, rpc, signUp } from './api-client.js';
import { type AppProcess, freePort, startApp } from './app-process.js';
import { auditCredits } from './audit.js';
import { runLedger } from './ledger-cli.js';
import { controlProcessor, orderBundle, sessionOf } from './sandbox-payments.js';
import { until } from './until.js';

/** A fan's actions in a crash test, named by the outcome of the generation when nothing crashes. */
export type Story = 'delivered' | 'failed' | 'cancelled' | 'refused';

const PROMPTS: Readonly<Record<Story, string>> = {
  delivered: 'a lighthouse in fog',
  failed: 'a lighthouse [[fail]]',
  // Long enough to be cancelled, and short enough to end soon when the crash prevents the cancel.
  cancelled: 'a lighthouse [[slow:8000]]',
  refused: 'a lighthouse',
};

/** Quick pictures and a small demo: the crash tests start the app many times. */
const ENVIRONMENT = { SANDBOX_DEMO: 'small', SANDBOX_DRAW_MS: '150', LOG_LEVEL: 'fatal' };
const SETTLE_TIMEOUT_MS = 120_000;
/** Longest wait for one step of a story in a process that has not died. */
const PLAY_TIMEOUT_MS = 60_000;
/** Keeps the reads of a fan below their rate limit of 50 a minute. */
const POLL_MS = 1_250;
const PASSWORD = 'crash-test-1';

/** An installation that is killed and restarted repeatedly, each time with a new fan. */
export class CrashWorld {
  private fans = 0;

  private constructor(
    readonly dataDir: string,
    readonly port: number,
  ) {}

  /**
   * Sets up an installation, unless the folder holds one.
   * @param dataDir with the small demo, or empty; {@link remove} removes it
   */
  static async create(dataDir: string): Promise<CrashWorld> {
    const world = new CrashWorld(dataDir, await freePort());
    const isEmpty = (await readdir(dataDir)).length === 0;
    if (isEmpty) await (await world.start()).stop();
    return world;
  }

  /**
   * Plays the story in a process that dies at the fault point, starts another process, waits until all generations
   * have ended, and audits.
   * @returns whether the process died at the fault point, and the findings of the audit
   */
  async crashAt(faultPoint: string, story: Story): Promise<{ died: boolean; problems: string[] }> {
    const died = await this.crash(faultPoint, story);
    return { died, problems: await this.recoverAndAudit() };
  }

  /**
   * Plays the story in a process that dies at the fault point. Without a story, the process dies while it ends the
   * generations that an earlier crash has left.
   * @returns whether the process died at the fault point
   */
  async crash(faultPoint: string, story?: Story): Promise<boolean> {
    const app = await this.start({ FANVAS_FAULT_POINT: faultPoint });
    return diesDuring(app, (isOver) => (story ? this.play(app, story, isOver) : this.withPool(skipLeases)));
  }

  /** Plays all stories at once with several fans, and kills the process after `ms` milliseconds. */
  async crashAfter(ms: number): Promise<string[]> {
    const app = await this.start();
    let over = false;
    const plays = (['delivered', 'failed', 'cancelled', 'delivered', 'refused'] as const).map((story) =>
      this.play(app, story, () => over).catch(ignoreBrokenConnection),
    );
    await delay(ms);
    over = true;
    await app.kill();
    await Promise.all(plays);
    return this.recoverAndAudit();
  }

  async remove(): Promise<void> {
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private start(environment: Record<string, string> = {}): Promise<AppProcess> {
    return startApp({ dataDir: this.dataDir, port: this.port, env: { ...ENVIRONMENT, ...environment } });
  }

  /** Runs `npm run ledger -- verify` next to the running app; returns its output when it fails. */
  private async verifyLedger(): Promise<string[]> {
    const { code, output } = await runLedger(this, 'verify');
    return code === 0 ? [] : [`ledger verify ended with ${code}: ${output}`];
  }

  private async play(app: AppProcess, story: Story, isOver: () => boolean): Promise<void> {
    this.fans += 1;
    const fan = await signUp(app.url, `fan${this.fans}-${Date.now()}@crash.test`, PASSWORD);
    const { body: creators } = await rpc<{ id: string }[]>(app.url, 'get_public_creators');
    const start = () =>
      fan.rpc<{ generation_id: string }>('start_generation_by_jwt', {
        p_prompt: PROMPTS[story],
        p_creator_id: creators[0]?.id,
      });
    if (story === 'refused') {
      // Thirty credits of the sign-up bonus are three pictures; the fourth is refused.
      for (let count = 0; count < 4 && !isOver(); count += 1) {
        await start();
        await untilIdle(fan, isOver);
      }
      return;
    }
    const started = await start();
    if (story === 'cancelled') {
      const cancel = () =>
        fan.rpc('cancel_generation_by_jwt', {
          p_generation_id: started.body.generation_id,
          p_reason: 'Generation canceled by user',
        });
      // A generation can be cancelled after 3 seconds; a request before that is refused with Retry-After.
      await until(
        async () => isOver() || !(await cancel()).headers.has('retry-after'),
        'the cancellation',
        PLAY_TIMEOUT_MS,
        250,
      );
    }
    await untilIdle(fan, isOver);
  }

  /** Starts a process that dies of nothing, waits until all generations have ended, and audits. */
  async recoverAndAudit(): Promise<string[]> {
    const app = await this.start();
    try {
      return await this.withPool(async (pool) => {
        await skipLeases(pool);
        const deadline = performance.now() + SETTLE_TIMEOUT_MS;
        let problems = await auditCredits(pool);
        while (problems.length > 0 && performance.now() < deadline) {
          await delay(250);
          problems = await auditCredits(pool);
        }
        return [...problems, ...(await this.verifyLedger())];
      });
    } finally {
      await app.stop();
    }
  }

  private async withPool<T>(work: (pool: Pool) => Promise<T>): Promise<T> {
    const postgres = await startEmbeddedPostgres({ folder: join(this.dataDir, 'postgres'), database: 'fanvas' });
    const pool = createPool(postgres.url, { max: 2 });
    try {
      return await work(pool);
    } finally {
      await pool.end();
      await postgres.stop();
    }
  }
}

/** An installation in which a fan buys credits, and whose processes die at fault points of payments. */
export class PaymentCrashWorld {
  private fan: ApiUser | undefined;
  private session = '';

  private constructor(
    readonly dataDir: string,
    readonly port: number,
  ) {}

  /** @param dataDir with the small demo, or empty; {@link remove} removes it */
  static async create(dataDir: string): Promise<PaymentCrashWorld> {
    return new PaymentCrashWorld(dataDir, await freePort());
  }

  /**
   * Starts a process that dies at the fault point. If it has something to wait for, the fan has `first` paid credits
   * before the processor acts.
   * @returns whether the process died at the fault point
   */
  async crash(faultPoint: string, actions: readonly ('pay' | 'refund')[], first?: number): Promise<boolean> {
    const app = await this.start({ FANVAS_FAULT_POINT: faultPoint });
    if (!this.fan) {
      this.fan = await signUp(app.url, 'buyer@crash.test', PASSWORD);
      this.session = sessionOf((await orderBundle(app.url, this.fan)).body);
    }
    if (first !== undefined) await this.paidCreditsBecome(first);
    return diesDuring(app, async () => {
      for (const action of actions) {
        const fields = { session: this.session, ...(action === 'pay' ? { card: 'pays' } : { amount: 1000 }) };
        await controlProcessor(app.url, action, fields);
      }
    });
  }

  /**
   * Starts a process that dies of nothing, and waits until the fan has these paid credits.
   * @returns the problems that `ledger reconcile` and `ledger verify` find
   */
  async recoverAndAudit(paidCredits: number): Promise<string[]> {
    const app = await this.start();
    try {
      await this.paidCreditsBecome(paidCredits);
      const answers = [await runLedger(this, 'reconcile', '--from', '2026-01-01'), await runLedger(this, 'verify')];
      return answers.filter(({ code }) => code !== 0).map(({ code, output }) => `${code}: ${output}`);
    } finally {
      await app.stop();
    }
  }

  async remove(): Promise<void> {
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private start(environment: Record<string, string> = {}): Promise<AppProcess> {
    const env = { SANDBOX_DEMO: 'none', LOG_LEVEL: 'fatal', ...environment };
    return startApp({ dataDir: this.dataDir, port: this.port, env });
  }

  private async paidCreditsBecome(expected: number): Promise<void> {
    const paid = async (): Promise<number | undefined> =>
      (await this.fan?.rpc<{ paid_credits: number }>('get_user_credit_breakdown'))?.body.paid_credits;
    await until(async () => (await paid()) === expected, `${expected} paid credits`, PLAY_TIMEOUT_MS, POLL_MS);
  }
}

/**
 * Acts in a process that is to die at its fault point, and kills it when it does not.
 * @param act gets a function that says whether the process has ended
 * @returns whether the process died at the fault point
 */
async function diesDuring(app: AppProcess, act: (isOver: () => boolean) => Promise<unknown>): Promise<boolean> {
  let over = false;
  const died = app.exited.then(({ signal }) => signal === 'SIGKILL');
  const acted = act(() => over).catch(ignoreBrokenConnection);
  // A busy machine may reach the fault point late, so a process that does not die gets a minute more.
  const dead = await Promise.race([died, acted.then(() => delay(60_000, false, { ref: false }))]);
  over = true;
  if (!dead) await app.kill();
  await acted;
  return dead;
}

/** As if the minute had passed that a dead process keeps its generations for. */
async function skipLeases(pool: Pool): Promise<void> {
  await pool.query(`update generation set not_before = now() where status = 'pending' and not_before > now()`);
}

/** The connection breaks when the process dies, as intended; the audit checks the consequences. */
function ignoreBrokenConnection(error: unknown): void {
  // Compares the name, because errors of Node's fetch belong to another realm than Jest's specs.
  if (!(error as Error).name.includes('TypeError')) throw error;
}

/** @throws when the generation of the fan has not ended in time */
async function untilIdle(fan: ApiUser, isOver: () => boolean): Promise<void> {
  const isIdle = async () => !(await fan.rpc<boolean>('has_active_pending_generation_jwt')).body;
  await until(async () => isOver() || (await isIdle()), 'the end of the generation', PLAY_TIMEOUT_MS, POLL_MS);
}

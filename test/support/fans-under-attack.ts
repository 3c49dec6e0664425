import { setTimeout as delay } from 'node:timers/promises';
import { type Pool } from 'pg';
import { type GenerationView } from '../../src/contract/generation.js';
import { type ApiUser, rpc, signUp } from './api-client.js';
import { controlProcessor, orderBundle, sessionOf } from './sandbox-payments.js';

/** The outcomes that the app showed to a fan. */
interface FanBook {
  /** Generations that the app showed as completed. */
  readonly delivered: Set<string>;
  /** Generations that the app showed as failed. */
  readonly failed: Set<string>;
  /** Checkout sessions whose payment the processor accepted at once. */
  readonly paid: Set<string>;
}

type Story = 'generate' | 'fail' | 'cancel' | 'buy' | 'buy and refund' | 'buy and dispute';
const STORIES: readonly Story[] = [
  'generate',
  'fail',
  'cancel',
  'buy',
  'generate',
  'buy and refund',
  'buy and dispute',
];

const PROMPTS: Partial<Readonly<Record<Story, string>>> = {
  fail: 'a lighthouse [[fail]]',
  cancel: 'a lighthouse [[slow:8000]]',
};
const PASSWORD = 'attack-test-1';
/** Longest wait for the end of one generation, ms. A killed process leaves one pending for a minute. */
const GENERATION_MS = 60_000;
/** A status of 500 counts as a mistake of the app when no process was killed for this long. */
const CALM_MS = 30_000;

export interface FanCounts {
  fans: number;
  delivered: number;
  purchases: number;
  /** Stories that ended early, because a request was not answered or was refused. */
  interrupted: number;
}

/** Fans who sign up, generate, buy, cancel and dispute while processes die. Each keeps a book of what they saw. */
export class FansUnderAttack {
  readonly counts: FanCounts = { fans: 0, delivered: 0, purchases: 0, interrupted: 0 };
  /** Answers that a fan must never get. */
  readonly problems: string[] = [];
  private readonly books = new Map<string, FanBook>();
  private stopping = false;
  private running: Promise<void>[] = [];

  /** @param calmSince returns the time (epoch milliseconds) of the last kill */
  constructor(
    private readonly url: string,
    private readonly calmSince: () => number,
  ) {}

  start(parallel: number): void {
    this.running = Array.from({ length: parallel }, (_, index) => this.playStories(index));
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.running);
  }

  /** Compares the books of the fans with the stored state. @returns a sentence for each difference */
  async compareBooks(pool: Pool): Promise<string[]> {
    const problems: string[] = [];
    for (const [userId, book] of this.books) {
      const { rows: generations } = await pool.query<{ id: string; status: string; cost: number }>(
        'select id, status, cost from generation where user_id = $1',
        [userId],
      );
      const statusOf = new Map(generations.map(({ id, status }) => [id, status]));
      for (const id of book.delivered) {
        if (statusOf.get(id) !== 'completed') problems.push(`${userId} saw the image of ${id}, which is now gone.`);
      }
      for (const id of book.failed) {
        if (statusOf.get(id) !== 'failed')
          problems.push(`${userId} saw ${id} fail, and it is ${statusOf.get(id)} now.`);
      }
      const { rows: checkouts } = await pool.query<{ session_id: string; status: string; credits: number }>(
        `select session_id, status, credits from checkout where user_id = $1 and session_id is not null`,
        [userId],
      );
      const credited = new Map(
        checkouts.filter(({ status }) => status === 'credited').map((row) => [row.session_id, row.credits]),
      );
      for (const session of book.paid) {
        if (!credited.has(session)) problems.push(`${userId} paid ${session}, which is not credited.`);
      }
      problems.push(...(await this.compareBalance(pool, userId, generations, credited)));
    }
    return problems;
  }

  /** Recomputes the balance from gifts, payments and images, and compares it with the balance that the fan sees. */
  private async compareBalance(
    pool: Pool,
    userId: string,
    generations: readonly { readonly status: string; readonly cost: number }[],
    credited: ReadonlyMap<string, number>,
  ): Promise<string[]> {
    const bought = [...credited.values()].reduce((sum, credits) => sum + credits, 0);
    const spent = generations.filter(({ status }) => status === 'completed').reduce((sum, { cost }) => sum + cost, 0);
    const { rows } = await pool.query<{ credits: number; shown: number }>(
      `select coalesce(sum(case type
           when 'CreditsGranted' then (data ->> 'amount')::int
           when 'CreditsExpired' then -(data ->> 'amount')::int
           when 'PurchaseReversed' then -(data ->> 'revoked')::int - (data ->> 'debt')::int
           when 'PurchaseReinstated' then (data ->> 'amount')::int else 0 end), 0)::int as credits,
         (select coalesce(sum(daily + bonus + paid - debt), 0)::int from credit_balance where user_id = $2) as shown
       from event where stream = $1`,
      [`creditAccount-${userId}`, userId],
    );
    const { credits = 0, shown = 0 } = rows[0] ?? {};
    const expected = credits + bought - spent;
    return shown === expected ? [] : [`${userId} should have ${expected} credits and has ${shown}.`];
  }

  private async playStories(index: number): Promise<void> {
    for (let turn = index; !this.stopping; turn += 1) {
      const story = STORIES[turn % STORIES.length] ?? 'generate';
      try {
        await this.play(story, `fan${index}-${turn}-${Date.now()}@attack.test`);
      } catch (error) {
        if (error instanceof WrongAnswerError) this.problems.push(`${story}: ${error.message}`);
        // Any other error is a connection that broke, or a start that was refused: the fan gives up.
        this.counts.interrupted += 1;
        await delay(500);
      }
    }
  }

  private async play(story: Story, email: string): Promise<void> {
    const fan = await signUp(this.url, email, PASSWORD);
    const book: FanBook = { delivered: new Set(), failed: new Set(), paid: new Set() };
    this.books.set(fan.userId, book);
    this.counts.fans += 1;
    await this.call(fan, 'grant_daily_credits_by_jwt', {});
    if (story.startsWith('buy')) await this.buy(fan, book, story);
    else await this.generate(fan, book, story);
  }

  private async generate(fan: ApiUser, book: FanBook, story: Story): Promise<void> {
    const { body: creators } = await rpc<{ id: string }[]>(this.url, 'get_public_creators');
    const started = await this.call<{ generation_id?: string }>(fan, 'start_generation_by_jwt', {
      p_prompt: PROMPTS[story] ?? 'a lighthouse in fog',
      p_creator_id: creators[0]?.id,
    });
    const id = started.generation_id;
    if (!id) return;
    const end = Date.now() + GENERATION_MS;
    while (!this.stopping && Date.now() < end) {
      if (story === 'cancel') {
        const cancel = { p_generation_id: id, p_reason: 'Generation canceled by user' };
        await this.call(fan, 'cancel_generation_by_jwt', cancel);
      }
      const { status } = await this.call<GenerationView>(fan, 'get_generation_by_id', { p_generation_id: id });
      if (status === 'completed') {
        book.delivered.add(id);
        this.counts.delivered += 1;
        return;
      }
      if (status === 'failed') {
        book.failed.add(id);
        return;
      }
      await delay(500);
    }
  }

  private async buy(fan: ApiUser, book: FanBook, story: Story): Promise<void> {
    const session = await this.checkout(fan);
    const { declined } = await controlProcessor<{ declined: unknown }>(this.url, 'pay', { session, card: 'pays' });
    if (declined !== null) return;
    book.paid.add(session);
    this.counts.purchases += 1;
    await this.generate(fan, book, 'generate');
    if (story === 'buy and refund') await controlProcessor(this.url, 'refund', { session, amount: 1_000 });
    if (story === 'buy and dispute') {
      const { id } = await controlProcessor<{ id: string }>(this.url, 'dispute', { session });
      await controlProcessor(this.url, 'win', { dispute: id });
    }
  }

  private async checkout(fan: ApiUser): Promise<string> {
    const { status, body } = await orderBundle(this.url, fan);
    this.checkStatus('create-checkout-session', status, body);
    return sessionOf(body);
  }

  private async call<T>(fan: ApiUser, name: string, body: object): Promise<T> {
    const answer = await fan.rpc<T>(name, body);
    this.checkStatus(name, answer.status, answer.body);
    return answer.body;
  }

  /** An internal error is a mistake, unless a process was killed a moment ago. */
  private checkStatus(name: string, status: number, body: unknown): void {
    if (status !== 500 || Date.now() - this.calmSince() < CALM_MS) return;
    throw new WrongAnswerError(`${name} answered 500: ${JSON.stringify(body)}`);
  }
}

class WrongAnswerError extends Error {}

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Pool } from 'pg';
import { type GenerationView } from '../../src/contract/generation.js';
import { type ApiUser, type Send, signUp } from './api-client.js';
import { controlProcessor, orderBundle, sessionOf } from './sandbox-payments.js';

/** The outcomes that the app showed to a fan. */
interface FanBook {
  /** Generations that the app showed as completed. */
  readonly delivered: Set<string>;
  /** Generations that the app showed as failed. */
  readonly failed: Set<string>;
  /** Checkout sessions whose payment the processor accepted at once. */
  readonly paid: Set<string>;
  /** Generations whose start was answered. */
  readonly started: Set<string>;
  /** Credits that an admin's refund took back, by checkout session. */
  readonly refunded: Map<string, number>;
  /** Requests to start a generation and to buy. One that is sent again counts once. */
  readonly sent: { starts: number; orders: number };
  /** Whether the app said that today's credits are granted. */
  granted: boolean;
}

type Story = 'generate' | 'fail' | 'cancel' | 'buy' | 'buy and refund' | 'buy and dispute' | 'buy and be refunded';
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
  /** Refunds by an admin. */
  refunds: number;
  /** Stories that ended early, because a request was not answered or was refused. */
  interrupted: number;
}

export interface FanWays {
  /** Address of the sandboxes; by default that of the app. */
  readonly sandboxes?: string;
  /** Sends the calls of this fan. With it, no story may end early. */
  readonly sendOf?: (fan: number) => Send;
  /** Refunds purchases. */
  readonly admin?: ApiUser;
  /** Waits for the end of a generation by its live status. By default the fan asks for the state. */
  readonly watch?: (id: string, fan: ApiUser) => Promise<GenerationView['status']>;
}

/** Fans who sign up, generate, buy, cancel and dispute while processes die. Each keeps a book of what they saw. */
export class FansUnderAttack {
  readonly counts: FanCounts = { fans: 0, delivered: 0, purchases: 0, refunds: 0, interrupted: 0 };
  /** Answers that a fan must never get. */
  readonly problems: string[] = [];
  private readonly books = new Map<string, FanBook>();
  private stopping = false;
  private running: Promise<void>[] = [];

  /** @param calmSince returns the time (epoch milliseconds) of the last kill */
  constructor(
    private readonly url: string,
    private readonly calmSince: () => number,
    private readonly ways: FanWays = {},
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
      for (const id of book.started) {
        if (!statusOf.has(id)) problems.push(`${userId} had started ${id}, which is now gone.`);
      }
      if (generations.length > book.sent.starts) {
        problems.push(`${userId} sent ${book.sent.starts} starts and has ${generations.length} generations.`);
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
      if (checkouts.length > book.sent.orders) {
        problems.push(`${userId} sent ${book.sent.orders} orders and has ${checkouts.length} checkouts.`);
      }
      problems.push(...(await this.compareOnce(pool, userId, book)));
      problems.push(...(await this.compareBalance(pool, userId, generations, credited)));
    }
    return problems;
  }

  /** Compares what must be in the ledger once: the gifts, each payment, and each refund of an admin. */
  private async compareOnce(pool: Pool, userId: string, book: FanBook): Promise<string[]> {
    const { rows } = await pool.query<{ subject: string; times: number; credits: number }>(
      `select case type when 'CreditsGranted' then 'gift ' || (data ->> 'source') else type || ' ' || (data ->> 'lotId') end
         as subject, count(*)::int as times, sum(coalesce(data ->> 'revoked', data ->> 'amount')::int)::int as credits
       from event where stream = $1 and type in ('CreditsGranted', 'CreditsPurchased', 'PurchaseReversed')
       group by subject`,
      [`creditAccount-${userId}`],
    );
    const found = new Map(rows.map((row) => [row.subject, row]));
    const problems = rows
      .filter(({ times }) => times > 1)
      .map(({ subject, times }) => `The ledger of ${userId} has ${subject} ${times} times.`);
    if (book.granted && !found.has('gift daily'))
      problems.push(`${userId} was granted the credits of the day, which are now gone.`);
    for (const [session, credits] of book.refunded) {
      const taken = found.get(`PurchaseReversed ${session}`)?.credits;
      if (taken !== credits) problems.push(`${userId} was refunded ${credits} credits, and ${taken} were taken back.`);
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
    const stories = this.ways.admin ? [...STORIES, 'buy and be refunded' as const] : STORIES;
    for (let turn = index; !this.stopping; turn += 1) {
      const story = stories[turn % stories.length] ?? 'generate';
      try {
        await this.play(story, `fan${index}-${turn}-${Date.now()}@attack.test`);
      } catch (error) {
        const wrong = error instanceof WrongAnswerError || this.ways.sendOf !== undefined;
        if (wrong) this.problems.push(`${story}: ${(error as Error).message}`);
        // Otherwise a connection broke, or a start was refused: the fan gives up.
        this.counts.interrupted += 1;
        await delay(500);
      }
    }
  }

  private async play(story: Story, email: string): Promise<void> {
    this.counts.fans += 1;
    const send = this.ways.sendOf?.(this.counts.fans);
    const fan = await signUp(this.url, email, PASSWORD, { ...this.ways, ...(send ? { send } : {}) });
    const book = newBook();
    this.books.set(fan.userId, book);
    book.granted = (await this.call<{ success?: boolean }>(fan, 'grant_daily_credits_by_jwt', {})).success === true;
    if (story.startsWith('buy')) await this.buy(fan, book, story, send);
    else await this.generate(fan, book, story);
    for (const name of ['get_user_credit_breakdown', 'get_user_transactions_by_jwt', 'get_public_creators'])
      await this.call(fan, name, {});
  }

  private async generate(fan: ApiUser, book: FanBook, story: Story): Promise<void> {
    const creators = await this.call<{ id: string }[]>(fan, 'get_public_creators', {});
    book.sent.starts += 1;
    const started = await this.call<{ generation_id?: string }>(fan, 'start_generation_by_jwt', {
      p_prompt: PROMPTS[story] ?? 'a lighthouse in fog',
      p_creator_id: creators[0]?.id,
      p_request_id: randomUUID(),
    });
    const id = started.generation_id;
    if (!id) return;
    book.started.add(id);
    if (this.ways.watch && story !== 'cancel') return this.note(book, id, await this.ways.watch(id, fan));
    const end = Date.now() + GENERATION_MS;
    while (!this.stopping && Date.now() < end) {
      if (story === 'cancel') {
        const cancel = { p_generation_id: id, p_reason: 'Generation canceled by user' };
        await this.call(fan, 'cancel_generation_by_jwt', cancel);
      }
      const { status } = await this.call<GenerationView>(fan, 'get_generation_by_id', { p_generation_id: id });
      this.note(book, id, status);
      if (status !== 'pending') return;
      await delay(500);
    }
  }

  private note(book: FanBook, id: string, status: GenerationView['status']): void {
    if (status === 'failed') book.failed.add(id);
    if (status !== 'completed') return;
    book.delivered.add(id);
    this.counts.delivered += 1;
  }

  private async buy(fan: ApiUser, book: FanBook, story: Story, send?: Send): Promise<void> {
    const processor = this.ways.sandboxes ?? this.url;
    book.sent.orders += 1;
    const { status, body } = await orderBundle(this.url, fan, send);
    this.checkStatus('create-checkout-session', status, body);
    const session = sessionOf(body);
    const { declined } = await controlProcessor<{ declined: unknown }>(processor, 'pay', { session, card: 'pays' });
    if (declined !== null) return;
    book.paid.add(session);
    this.counts.purchases += 1;
    await this.generate(fan, book, 'generate');
    if (story === 'buy and refund') await controlProcessor(processor, 'refund', { session, amount: 1_000 });
    if (story === 'buy and dispute') {
      const { id } = await controlProcessor<{ id: string }>(processor, 'dispute', { session });
      await controlProcessor(processor, 'win', { dispute: id });
    }
    if (story === 'buy and be refunded' && this.ways.admin) await this.refund(this.ways.admin, book, session);
  }

  /** An admin refunds what is left of a purchase, once it is in the ledger. */
  private async refund(admin: ApiUser, book: FanBook, session: string): Promise<void> {
    const body = { p_session_id: session, p_reason: 'A test', p_request_id: randomUUID() };
    const refund = () => admin.rpc<{ credits: number }>('refund_purchase', body);
    let answer = await refund();
    // The webhook of the payment may be later than the picture.
    for (const end = Date.now() + GENERATION_MS; answer.status === 404 && Date.now() < end; answer = await refund()) {
      await delay(1_000);
    }
    this.checkStatus('refund_purchase', answer.status, answer.body);
    book.refunded.set(session, answer.body.credits);
    this.counts.refunds += 1;
  }

  private async call<T>(fan: ApiUser, name: string, body: object): Promise<T> {
    const answer = await fan.rpc<T>(name, body);
    this.checkStatus(name, answer.status, answer.body);
    return answer.body;
  }

  /**
   * An internal error is a mistake, unless a process was killed a moment ago. Where each request is answered, only a
   * cancel may be refused: the generation is too young, or has ended.
   */
  private checkStatus(name: string, status: number, body: unknown): void {
    const isCancel = name === 'cancel_generation_by_jwt' && status === 409;
    const wrong = this.ways.sendOf ? status !== 200 && !isCancel : status === 500;
    if (!wrong || (!this.ways.sendOf && Date.now() - this.calmSince() < CALM_MS)) return;
    throw new WrongAnswerError(`${name} answered ${status}: ${JSON.stringify(body)}`);
  }
}

function newBook(): FanBook {
  return {
    delivered: new Set(),
    failed: new Set(),
    paid: new Set(),
    started: new Set(),
    refunded: new Map(),
    sent: { starts: 0, orders: 0 },
    granted: false,
  };
}

class WrongAnswerError extends Error {}

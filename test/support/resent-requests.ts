import { setTimeout as delay } from 'node:timers/promises';
import { type Send } from './api-client.js';

/** Longest time for one answer, ms. The app itself gives up earlier. */
const ANSWER_MS = 30_000;
/** A request is sent again for this long, ms. */
const RESEND_MS = 60_000;
const PAUSE_MS = 200;

/**
 * Requests to processes that are killed. A request that was in flight at a kill is sent again, unchanged, until it is
 * answered. Any other failure is a problem.
 */
export class ResentRequests {
  readonly counts = { answered: 0, resent: 0 };
  /** Sentences. */
  readonly problems: string[] = [];
  /** Ends of the kills (`performance.now()`). */
  private readonly kills: { end: number }[] = [];

  /** Waits until a process is dead. Until then, the system accepts connections for it. */
  async duringKill(kill: Promise<unknown>): Promise<void> {
    const noted = { end: Infinity };
    this.kills.push(noted);
    await kill;
    noted.end = performance.now();
  }

  /** Whether a process was killed since then (`performance.now()`). */
  killedSince(begin: number): boolean {
    return this.kills.some(({ end }) => end >= begin);
  }

  /**
   * The requests of one client.
   * @param address sent as that of the client, so that each has limits of its own
   * @param keepsCookies whether it keeps the cookies of the app, as browsers do
   */
  client(address: string, keepsCookies: boolean): Send {
    let cookie = '__session=present';
    return async (url, init) => {
      const headers = new Headers(init.headers);
      headers.set('X-Forwarded-For', address);
      if (keepsCookies) headers.set('Cookie', cookie);
      const response = await this.answerOf(url, { ...init, headers });
      for (const line of response.headers.getSetCookie()) cookie = `__session=present; ${line.split(';')[0]}`;
      return response;
    };
  }

  private async answerOf(url: string, init: RequestInit): Promise<Response> {
    const giveUpAt = performance.now() + RESEND_MS;
    for (;;) {
      const begin = performance.now();
      const answer = await attempt(url, init);
      if (answer instanceof Response && answer.status < 500 && answer.status !== 429) {
        this.counts.answered += 1;
        return answer;
      }
      const wait = answer instanceof Response ? Number(answer.headers.get('retry-after') ?? 1) * 1_000 : PAUSE_MS;
      if (answer instanceof Response && answer.status === 429) {
        await delay(wait);
        continue;
      }
      const failure = answer instanceof Response ? `${answer.status} ${await answer.text()}` : answer;
      if (!this.killedSince(begin) || begin > giveUpAt) {
        const problem = `${new URL(url).pathname} was answered by ${failure}, and no process was killed meanwhile.`;
        this.problems.push(problem);
        throw new Error(problem);
      }
      this.counts.resent += 1;
      await delay(PAUSE_MS);
    }
  }
}

/** @returns the complete answer, or why there is none */
async function attempt(url: string, init: RequestInit): Promise<Response | string> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_MS) });
    const { status, headers } = response;
    return new Response(await response.arrayBuffer(), { status, headers });
  } catch (error) {
    return String((error as Error).cause ?? error);
  }
}

import { sanitiseIdentifier } from '../../lib/sanitise.js';
import type { SmallStore } from '../../lib/storage.js';

/** Waits before the first retries of a failed request, and before later ones, in ms. The server allows 5 in 300 s. */
const FIRST_RETRIES_MS = [10_000, 60_000];
const RETRY_MS = 300_000;
/** After this time without an answer, in ms, the page that asked was probably closed. */
const ANSWER_MS = 10_000;

/** The last that this browser knows of its request for the credits of a UTC day. */
type State = 'granted' | 'asked' | 'failed';

interface Note {
  readonly day: string;
  readonly state: State;
  /** When this happened, ms since the epoch. */
  readonly at: number;
  /** Failed requests of the day. */
  readonly failures: number;
}

/**
 * When this browser should ask for the user's daily credits: once a UTC day, again after a failure, and again when a
 * request has no answer.
 * @returns ms from now; null when today's were granted
 */
export function dailyAskDueIn(store: SmallStore, userId: string, now: Date): number | null {
  const note = noteOfToday(store, userId, now);
  if (!note) return 0;
  if (note.state === 'granted') return null;
  const wait = note.state === 'asked' ? ANSWER_MS : (FIRST_RETRIES_MS[note.failures - 1] ?? RETRY_MS);
  return Math.max(0, note.at + wait - now.getTime());
}

/** Stores that today's credits are being asked for, so that other tabs wait for the answer. */
export function noteAsked(store: SmallStore, userId: string, now: Date): void {
  const failures = noteOfToday(store, userId, now)?.failures ?? 0;
  write(store, userId, { day: dayOf(now), state: 'asked', at: now.getTime(), failures });
}

/** Stores that today's credits are granted. */
export function noteGranted(store: SmallStore, userId: string, now: Date): void {
  write(store, userId, { day: dayOf(now), state: 'granted', at: now.getTime(), failures: 0 });
}

/** Stores that the request failed, so that it is retried. */
export function noteFailure(store: SmallStore, userId: string, now: Date): void {
  const failures = (noteOfToday(store, userId, now)?.failures ?? 0) + 1;
  write(store, userId, { day: dayOf(now), state: 'failed', at: now.getTime(), failures });
}

/** Whether the last answer of this UTC day was a failure. */
export function hasFailedToday(store: SmallStore, userId: string, now: Date): boolean {
  return (noteOfToday(store, userId, now)?.failures ?? 0) > 0;
}

function noteOfToday(store: SmallStore, userId: string, now: Date): Note | null {
  const [day = '', state = '', at, failures] = store.get(grantKey(userId))?.split(' ') ?? [];
  if (day !== dayOf(now) || !isState(state)) return null;
  return { day, state, at: Number(at), failures: Number(failures) };
}

function isState(word: string): word is State {
  return word === 'granted' || word === 'asked' || word === 'failed';
}

function write(store: SmallStore, userId: string, { day, state, at, failures }: Note): void {
  store.set(grantKey(userId), `${day} ${state} ${at} ${failures}`);
}

function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** Storage key of a user's last request. */
export function grantKey(userId: string): string {
  return `fanvas.daily-grant.${sanitiseIdentifier(userId)}`;
}

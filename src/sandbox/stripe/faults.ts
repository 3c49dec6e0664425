import { createHash } from 'node:crypto';

/** What a call to the API can meet. */
export const API_FAULTS = [
  /** Answered 500; nothing was done. */
  'error',
  /** Answered 429; nothing was done. */
  'rate-limit',
  /** The connection is cut; nothing was done. */
  'cut',
  /** Done, and the connection is cut before the answer. */
  'lost',
  /** Done, and the answer never comes: the caller gives up. */
  'timeout',
] as const;
export type ApiFault = (typeof API_FAULTS)[number];

/** What a webhook can meet. */
export const WEBHOOK_FAULTS = [
  /** Never sent. */
  'missing',
  /** Sent twice, at once. */
  'duplicate',
  /** Sent after up to `delayMs`, so that others overtake it. */
  'delayed',
] as const;
export type WebhookFault = (typeof WEBHOOK_FAULTS)[number];

/** How often things go wrong, each from 0 to 1. The same plan and the same order of calls give the same faults. */
export interface FaultPlan {
  readonly seed: number;
  readonly api?: Readonly<Partial<Record<ApiFault, number>>>;
  readonly webhooks?: Readonly<Partial<Record<WebhookFault, number>>>;
  readonly delayMs?: number;
}

export interface WebhookFate {
  readonly copies: number;
  readonly delayMs: number;
}

const DEFAULT_DELAY_MS = 2_000;

/** Decides what goes wrong: as often as the plan says, and whenever a test has asked for it by name. */
export class Faults {
  private current: FaultPlan | null = null;
  private readonly counts = new Map<string, number>();
  private scripted: { readonly fault: ApiFault; readonly call: string }[] = [];
  private held = false;

  /** Begins with a plan, from its start; null: nothing goes wrong any more. */
  plan(plan: FaultPlan | null): void {
    this.current = plan;
    this.counts.clear();
    this.scripted = [];
    this.held = false;
  }

  /**
   * The next call of a kind meets a fault. Several of one kind are used up one after the other.
   * @param call method and path below `/v1`, such as `POST /checkout/sessions`; a path's ids count as `:id`
   */
  next(fault: ApiFault, call: string): void {
    this.scripted.push({ fault, call });
  }

  /** While they are held, no webhook is sent; afterwards all that waited. */
  holdWebhooks(held: boolean): void {
    this.held = held;
  }

  get webhooksHeld(): boolean {
    return this.held;
  }

  ofCall(call: string): ApiFault | null {
    const scripted = this.scripted.find((one) => one.call === call);
    if (scripted) {
      this.scripted = this.scripted.filter((one) => one !== scripted);
      return scripted.fault;
    }
    return this.pick(API_FAULTS, this.current?.api ?? {}, call);
  }

  ofWebhook(type: string): WebhookFate {
    const plan = this.current;
    const fault = this.pick(WEBHOOK_FAULTS, plan?.webhooks ?? {}, type);
    return {
      copies: fault === 'missing' ? 0 : fault === 'duplicate' ? 2 : 1,
      delayMs: fault === 'delayed' ? Math.floor(this.draw(`${type} delay`) * (plan?.delayMs ?? DEFAULT_DELAY_MS)) : 0,
    };
  }

  private pick<const T extends string>(faults: readonly T[], odds: Partial<Record<T, number>>, key: string): T | null {
    if (Object.keys(odds).length === 0) return null;
    let left = this.draw(key);
    for (const fault of faults) {
      left -= odds[fault] ?? 0;
      if (left < 0) return fault;
    }
    return null;
  }

  /** From 0 to 1, different each time, and the same again under the same seed. */
  private draw(key: string): number {
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    const hash = createHash('sha256').update(`${this.current?.seed}|${key}|${count}`).digest();
    return hash.readUInt32BE(0) / 2 ** 32;
  }
}

import { createHash } from 'node:crypto';

/** Faults of a call to the API. */
export const API_FAULTS = [
  /** Responds 500 and does nothing. */
  'error',
  /** Responds 429 and does nothing. */
  'rate-limit',
  /** Cuts the connection and does nothing. */
  'cut',
  /** Applies the call, then cuts the connection before the response. */
  'lost',
  /** Applies the call and never responds, so that the caller times out. */
  'timeout',
] as const;
export type ApiFault = (typeof API_FAULTS)[number];

/** Faults of a webhook. */
export const WEBHOOK_FAULTS = [
  /** Never sent. */
  'missing',
  /** Sent twice at the same time. */
  'duplicate',
  /** Sent after up to `delayMs`, so that later events overtake it. */
  'delayed',
] as const;
export type WebhookFault = (typeof WEBHOOK_FAULTS)[number];

/** The probability of each fault, from 0 to 1. The same plan and the same order of calls give the same faults. */
export interface FaultPlan {
  readonly seed: number;
  readonly api?: Readonly<Partial<Record<ApiFault, number>>>;
  readonly webhooks?: Readonly<Partial<Record<WebhookFault, number>>>;
  readonly delayMs?: number;
}

const DEFAULT_DELAY_MS = 2_000;

/** Chooses the fault of each call and webhook: by the probabilities of a plan, or because a test scripted it. */
export class Faults {
  private current: FaultPlan | null = null;
  private readonly counts = new Map<string, number>();
  private scripted: { readonly fault: ApiFault; readonly call: string }[] = [];
  private holdsWebhooks = false;

  /** Starts a plan from its beginning; null ends all faults. */
  plan(plan: FaultPlan | null): void {
    this.current = plan;
    this.counts.clear();
    this.scripted = [];
    this.holdsWebhooks = false;
  }

  /**
   * Scripts a fault for the next matching call. Several faults for the same call apply to its repetitions, in order.
   * @param call method and path below `/v1`, such as `POST /checkout/sessions`; ids are written as `:id`
   */
  next(fault: ApiFault, call: string): void {
    this.scripted.push({ fault, call });
  }

  /** True holds back all webhooks; false sends the waiting ones. */
  holdWebhooks(hold: boolean): void {
    this.holdsWebhooks = hold;
  }

  get webhooksHeld(): boolean {
    return this.holdsWebhooks;
  }

  forCall(call: string): ApiFault | null {
    const scripted = this.scripted.find((one) => one.call === call);
    if (scripted) {
      this.scripted = this.scripted.filter((one) => one !== scripted);
      return scripted.fault;
    }
    return this.pick(API_FAULTS, this.current?.api ?? {}, call);
  }

  forWebhook(type: string): { readonly copies: number; readonly delayMs: number } {
    const plan = this.current;
    const fault = this.pick(WEBHOOK_FAULTS, plan?.webhooks ?? {}, type);
    return {
      copies: fault === 'missing' ? 0 : fault === 'duplicate' ? 2 : 1,
      delayMs: fault === 'delayed' ? Math.floor(this.draw(`${type} delay`) * (plan?.delayMs ?? DEFAULT_DELAY_MS)) : 0,
    };
  }

  private pick<const T extends string>(faults: readonly T[], odds: Partial<Record<T, number>>, key: string): T | null {
    if (Object.keys(odds).length === 0) return null;
    let remainder = this.draw(key);
    for (const fault of faults) {
      remainder -= odds[fault] ?? 0;
      if (remainder < 0) return fault;
    }
    return null;
  }

  /** Returns a number in [0, 1) that depends only on the seed, the key and the number of earlier draws for the key. */
  private draw(key: string): number {
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    const hash = createHash('sha256').update(`${this.current?.seed}|${key}|${count}`).digest();
    return hash.readUInt32BE(0) / 2 ** 32;
  }
}

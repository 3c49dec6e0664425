import { invalid } from '../problem.js';
import { type StripeSandbox } from '../stripe-sandbox.js';
import { API_FAULTS, type FaultPlan, type Faults } from '../faults.js';

/** An action's fields, as a form or a JSON object gives them. Amounts are in cents. */
export type Fields = Readonly<Record<string, unknown>>;

export interface Action {
  /** Shown on the dashboard afterwards. */
  readonly done: string;
  readonly run: (fields: Fields) => Promise<unknown>;
}

/**
 * The operator's actions: buttons on the dashboard, and `POST /control/<name>` with JSON for tests in another process.
 */
export function actionsOf(sandbox: Omit<StripeSandbox, 'plugin'>): Readonly<Record<string, Action>> {
  return {
    pay: {
      done: 'Paid.',
      run: async (fields) => ({ declined: await sandbox.pay(text(fields, 'session'), text(fields, 'card')) }),
    },
    settle: { done: 'The payment has settled.', run: (fields) => sandbox.settle(text(fields, 'session')) },
    fail: { done: 'The payment has failed.', run: (fields) => sandbox.fail(text(fields, 'session')) },
    expire: { done: 'The checkout has expired.', run: (fields) => sandbox.expire(text(fields, 'session')) },
    refund: {
      done: 'Refunded.',
      run: (fields) => sandbox.refund(text(fields, 'session'), { amount: amount(fields) }),
    },
    dispute: {
      done: 'The buyer has disputed the payment.',
      run: (fields) => {
        const disputed = amount(fields);
        return sandbox.dispute(text(fields, 'session'), disputed === null ? {} : { amount: disputed });
      },
    },
    win: { done: 'The dispute is won.', run: (fields) => sandbox.closeDispute(text(fields, 'dispute'), 'won') },
    lose: { done: 'The dispute is lost.', run: (fields) => sandbox.closeDispute(text(fields, 'dispute'), 'lost') },
    resend: { done: 'Sent again.', run: (fields) => sandbox.resend(text(fields, 'event')) },
    faults: { done: 'The faults are set.', run: async (fields) => setFaults(sandbox.faults, fields) },
  };
}

function text(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '') throw invalid(`${name} is missing.`, { param: name });
  return value;
}

function amount({ amount: cents, dollars }: Fields): number | null {
  if (typeof cents === 'number' && Number.isInteger(cents)) return cents;
  if (dollars === undefined) return null;
  if (typeof dollars !== 'string' || !/^\d{1,7}(\.\d{1,2})?$/.test(dollars.trim())) {
    throw invalid('The amount must look like 12.50.', { param: 'amount' });
  }
  return Math.round(Number(dollars) * 100);
}

/**
 * `{plan}` starts a fault plan, or ends it with null; `{next: {fault, call}}` scripts one fault; `{hold}` holds
 * webhooks.
 */
function setFaults(faults: Faults, { plan, next, hold }: Fields): void {
  if (plan !== undefined) faults.plan(plan as FaultPlan | null);
  if (typeof hold === 'boolean') faults.holdWebhooks(hold);
  if (typeof next === 'object' && next !== null) {
    const { fault, call } = next as { fault?: unknown; call?: unknown };
    const known = API_FAULTS.find((name) => name === fault);
    if (!known || typeof call !== 'string') throw invalid('A fault and a call must be named.', { param: 'next' });
    faults.next(known, call);
  }
}

import type Stripe from 'stripe';
import { money } from '../processor.js';
import { type ChargeRow, type DeliveryRow, idOf, type SessionRow } from '../rows.js';
import { type Store } from '../store.js';
import { html, type Html, terms } from './html.js';
import { type Page } from './layout.js';

const PAGE_SIZE = 25;

export interface DashboardOptions {
  readonly store: Store;
  readonly prefix: string;
  /** Id of the last session on the previous page. */
  readonly after: string | null;
  /** The result of the last action, or why it was refused. */
  readonly done: string | null;
  readonly refused: string | null;
}

/** A session with its related objects. */
interface Payment {
  readonly row: SessionRow;
  readonly charge: ChargeRow | undefined;
  readonly refunds: readonly Stripe.Refund[];
  readonly disputes: readonly Stripe.Dispute[];
  readonly events: readonly { readonly event: Stripe.Event; readonly delivery: DeliveryRow | undefined }[];
}

type Tone = 'good' | 'warn' | 'bad' | '';

/** The dashboard: all payments, with the actions of the processor, the buyer and the bank. */
export function dashboardPage(options: DashboardOptions): Page {
  const { store, prefix, after, done, refused } = options;
  const rows = store.latest('session');
  const start = after === null ? 0 : rows.findIndex(({ id }) => id === after) + 1;
  const page = rows.slice(start, start + PAGE_SIZE);
  const next = rows.length > start + PAGE_SIZE ? page.at(-1) : undefined;
  const body = html` <main class="board">
    <h1>Payments</h1>
    <p class="small">
      You are the processor, the buyer and the bank: refund, dispute and settle any payment. The shop is notified by
      webhook.
    </p>
    ${done !== null && html`<p class="note" role="status" tabindex="-1" autofocus>${done}</p>`}
    ${refused !== null && html`<p class="alert" role="alert" tabindex="-1" autofocus>${refused}</p>`} ${figures(store)}
    ${
      page.length === 0
        ? html`<p class="note">No payments yet. Buy something in the shop, and it appears here.</p>`
        : html`<ul class="payments">
            ${gather(store, page).map((payment) => paymentItem(payment, prefix))}
          </ul>`
    }
    ${next !== undefined && html`<p class="pager"><a class="button" href="${prefix}/dashboard?after=${next.id}">Older payments</a></p>`}
  </main>`;
  return { title: 'Payments · Stripe sandbox', body };
}

function figures(store: Store): Html {
  const charges = store.latest('charge').filter(({ object }) => object.status === 'succeeded');
  const sum = (amountOf: (charge: Stripe.Charge) => number): string =>
    money(
      charges.reduce((total, { object }) => total + amountOf(object), 0),
      'usd',
    );
  const waiting = store.latest('delivery').filter(({ state }) => state === 'pending').length;
  const shown: readonly (readonly [term: string, value: string | number])[] = [
    ['Taken', sum(({ amount }) => amount)],
    ['Refunded', sum(({ amount_refunded }) => amount_refunded)],
    ['Webhooks waiting', waiting],
  ];
  return html`<dl class="figures">
    ${shown.map(
      ([term, value]) =>
        html`<div>
          <dt>${term}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

function gather(store: Store, rows: readonly SessionRow[]): Payment[] {
  const sessionOf = new Map(rows.map(({ id, object }) => [idOf(object.payment_intent), id]));
  const events = groupBy(store.latest('event'), ({ object }) => {
    const about = subjectOf(object);
    return sessionOf.get(about) ?? about;
  });
  const deliveries = new Map(
    store
      .latest('delivery')
      .reverse()
      .map((delivery) => [delivery.eventId, delivery]),
  );
  const refunds = groupBy(store.latest('refund'), ({ object }) => idOf(object.charge) ?? '');
  const disputes = groupBy(store.latest('dispute'), ({ object }) => idOf(object.charge) ?? '');
  return rows.map((row) => {
    const paymentId = idOf(row.object.payment_intent) ?? '';
    const chargeId = idOf(store.get('paymentIntent', paymentId)?.object.latest_charge ?? null);
    const charge = store.get('charge', chargeId ?? '');
    return {
      row,
      charge,
      refunds: (refunds.get(charge?.id ?? '') ?? []).map(({ object }) => object),
      disputes: (disputes.get(charge?.id ?? '') ?? []).map(({ object }) => object),
      events: (events.get(row.id) ?? []).map(({ object }) => ({ event: object, delivery: deliveries.get(object.id) })),
    };
  });
}

/** The id of the session or of the payment that an event is about. */
function subjectOf(event: Stripe.Event): string {
  const object = event.data.object as { id?: string; object?: string; payment_intent?: unknown };
  return object.object === 'checkout.session' || object.object === 'payment_intent'
    ? String(object.id)
    : String(object.payment_intent);
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

function paymentItem(payment: Payment, prefix: string): Html {
  const { row, charge, refunds, disputes, events } = payment;
  const { object } = row;
  const [status, tone] = statusOf(payment);
  const at = new Date(object.created * 1000).toISOString();
  const name = `payment-${row.id}`;
  return html`<li class="payment">
    <div class="head">
      <h2 id="${name}">${money(object.amount_total ?? 0, object.currency ?? 'usd')}</h2>
      <span class="badge ${tone}">${status}</span><span>${row.lineItems[0]?.description ?? ''}</span
      ><time class="small" datetime="${at}">${at.slice(0, 19).replace('T', ' ')} UTC</time>
    </div>
    <p class="small break">${object.customer_details?.email ?? 'No email yet'}</p>
    <div class="actions" role="group" aria-labelledby="${name}">${actionsFor(payment, prefix)}</div>
    <details class="more">
      <summary>Ids, refunds, disputes and webhooks</summary>
      ${terms([
        ['Session', mono(row.id)],
        ...(typeof object.payment_intent === 'string' ? [['Payment', mono(object.payment_intent)] as const] : []),
        ...(charge ? [['Charge', mono(charge.id)] as const] : []),
        ...refunds.map((refund) => ['Refund', amountWithId(refund)] as const),
        ...disputes.map((dispute) => ['Dispute', amountWithId(dispute)] as const),
      ])}
      <ul class="events">
        ${events.map(
          ({ event, delivery }) =>
            html`<li>
              <span class="mono break">${event.type}</span
              ><span class="small">${formatDelivery(delivery)}</span
              >${form(prefix, 'resend', { event: event.id }, 'Send again', { about: event.type })}
            </li>`,
        )}
      </ul>
    </details>
  </li>`;
}

const mono = (id: string): Html => html`<span class="mono">${id}</span>`;

const amountWithId = ({ id, amount, currency, status }: Stripe.Refund | Stripe.Dispute): Html =>
  html`${money(amount, currency)}, ${status?.replaceAll('_', ' ') ?? ''} ${mono(id)}`;

function statusOf({ row, charge, disputes }: Payment): [string, Tone] {
  const { object, pending } = row;
  const [dispute] = disputes;
  if (dispute?.status === 'lost') return ['Dispute lost', 'bad'];
  if (dispute && dispute.status !== 'won') return ['Disputed', 'warn'];
  if (charge?.object.refunded) return ['Refunded', ''];
  if (charge && charge.object.amount_refunded > 0) return ['Partly refunded', 'warn'];
  if (object.payment_status === 'paid') return ['Paid', 'good'];
  if (pending) return ['Settles later', 'warn'];
  if (object.status === 'expired') return ['Expired', ''];
  return object.status === 'open' ? ['Open', ''] : ['Failed', 'bad'];
}

function actionsFor({ row, charge, disputes }: Payment, prefix: string): Html[] {
  const session = { session: row.id };
  if (row.object.status === 'open') {
    const link = html`<a class="button" href="${prefix}/pay/${row.id}">Open the checkout</a>`;
    return [link, form(prefix, 'expire', session, 'Expire')];
  }
  if (row.pending) return [form(prefix, 'settle', session, 'Settle now'), form(prefix, 'fail', session, 'Fail now')];
  const open = disputes.find(({ status }) => status !== 'won' && status !== 'lost');
  if (open) {
    const dispute = { dispute: open.id };
    return [form(prefix, 'win', dispute, 'Win the dispute'), form(prefix, 'lose', dispute, 'Lose the dispute')];
  }
  if (charge?.object.status !== 'succeeded' || disputes.some(({ status }) => status === 'lost')) return [];
  const refundableCents = charge.object.amount - charge.object.amount_refunded;
  if (refundableCents === 0) return [];
  const id = `amount-${row.id}`;
  const amount = html`<div>
    <label for="${id}">Refund, in dollars</label
    ><input id="${id}" name="dollars" inputmode="decimal" value="${(refundableCents / 100).toFixed(2)}" />
  </div>`;
  const refund = form(prefix, 'refund', session, 'Refund', { content: amount });
  return [refund, ...(charge.object.disputed ? [] : [form(prefix, 'dispute', session, 'Dispute')])];
}

/** The form of one action. @param more `about`: the object that the label of the button does not name */
function form(
  prefix: string,
  action: string,
  fields: Readonly<Record<string, string>>,
  label: string,
  more: { readonly about?: string; readonly content?: Html } = {},
): Html {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  const named = more.about !== undefined && html` aria-label="${label}: ${more.about}"`;
  return html`<form method="post" action="${prefix}/dashboard/${action}">
    ${hidden}${more.content ?? ''}<button class="button" type="submit" ${named}>${label}</button>
  </form>`;
}

function formatDelivery(delivery: DeliveryRow | undefined): string {
  if (!delivery) return 'not sent: there is no receiver';
  const { state, attempts, answer } = delivery;
  if (state === 'delivered') return attempts === 1 ? 'delivered' : `delivered at attempt ${attempts}`;
  if (state === 'lost') return 'dropped by a fault';
  const last = answer === null ? '' : answer === 0 ? ', no answer' : `, last answer ${answer}`;
  return state === 'given-up'
    ? `given up${last}`
    : `on its way, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}${last}`;
}

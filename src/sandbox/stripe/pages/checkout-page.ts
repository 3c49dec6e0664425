import { groupDigits, TEST_CARDS, type TestCard } from '../cards.js';
import { money } from '../processor.js';
import { type ChargeRow, idOf, type SessionRow } from '../rows.js';
import { type Entries, type FieldErrors, type FieldName } from './checkout-form.js';
import { type Attributes, attributes, html, type Html, terms } from './html.js';
import { type Page } from './layout.js';

export interface CheckoutView {
  readonly row: SessionRow;
  readonly business: string;
  readonly entries: Entries;
  readonly errors: FieldErrors;
  /** The message of the last decline. */
  readonly declined: string | null;
  readonly settleAfterMs: number;
}

const MAIN_CARDS = [TEST_CARDS.pays, TEST_CARDS.declines, TEST_CARDS.settlesLater, TEST_CARDS.failsLater];
const OTHER_CARDS: TestCard[] = Object.values(TEST_CARDS).filter((card) => !MAIN_CARDS.some((main) => main === card));

/** The hosted checkout page. */
export function checkoutPage(view: CheckoutView): Page {
  const { row, business } = view;
  const total = totalOf(row);
  const body = html`
<main class="checkout">
<section class="order" aria-labelledby="order">
${
  row.object.cancel_url !== null &&
  html`<p>
    <a class="back" href="${row.object.cancel_url}"><span aria-hidden="true">←</span> Back to ${business}</a>
  </p>`
}
<h1 id="order">Pay ${business} <span class="total">${total}</span></h1>
<ul class="items">
${row.lineItems.map(
  (item) =>
    html`<li>
      <span>${item.description}${(item.quantity ?? 1) > 1 && html` <span class="small">× ${item.quantity}</span>`}</span
      ><span>${money(item.amount_total, item.currency)}</span>
    </li>`,
)}
<li class="due"><span>Total due</span><span>${total}</span></li>
</ul>
</section>
<section class="cards" aria-labelledby="cards">
<h2 id="cards">Choose a test card</h2>
${cardList(MAIN_CARDS, view)}
<details${isAmong(OTHER_CARDS, view.entries) && html` open`}><summary>More test cards</summary>${cardList(OTHER_CARDS, view)}</details>
<p class="small">“Later” is ${formatDuration(view.settleAfterMs)} after checkout, or when you settle it yourself among <a href="../dashboard">all payments</a>.</p>
</section>
<section class="pay" aria-labelledby="pay">
<h2 id="pay">Your details</h2>
<p id="status" class="small" role="status"></p>
${view.declined !== null && html`<p class="alert" role="alert" tabindex="-1" autofocus>${view.declined} Nothing was charged. Try another card.</p>`}
<form id="checkout" method="post" novalidate>
${field(view, 'email', 'Email', { type: 'email', autocomplete: 'email', readonly: row.object.customer_email !== null })}
${field(view, 'number', 'Card number', { inputmode: 'numeric', autocomplete: 'off', placeholder: '1234 1234 1234 1234' })}
<div class="row">
${field(view, 'expiry', 'Expires', { inputmode: 'numeric', autocomplete: 'off', placeholder: 'MM / YY' })}
${field(view, 'cvc', 'Security code', { inputmode: 'numeric', autocomplete: 'off', placeholder: 'CVC' })}
</div>
${field(view, 'name', 'Name on card', { autocomplete: 'off' })}
<button class="button primary" type="submit">Pay ${total}</button>
</form>
<p class="small">This is a test. You will not be charged.</p>
</section>
</main>`;
  return { title: `Pay ${business} ${total} · Sandbox checkout`, body, script: true };
}

/** Buttons that fill in a test card; without the script they load the page again with the card filled in. */
function cardList(cards: readonly TestCard[], { entries }: CheckoutView): Html {
  return html`<ul class="card-list">
    ${cards.map(
      (card) =>
        html`<li>
          <button
            class="test-card"
            type="submit"
            form="checkout"
            formmethod="get"
            formnovalidate
            name="card"
            value="${card.number}"
            data-label="${card.label}"
            aria-pressed="${String(isAmong([card], entries))}"
          >
            <span>${card.label}</span> <span class="mono">${groupDigits(card.number)}</span>
          </button>
        </li>`,
    )}
  </ul>`;
}

function isAmong(cards: readonly TestCard[], { number }: Entries): boolean {
  return cards.some((card) => card.number === number.replaceAll(' ', ''));
}

function field({ entries, errors }: CheckoutView, name: FieldName, label: string, more: Attributes): Html {
  const error = errors[name];
  const described = error !== undefined && { 'aria-invalid': 'true', 'aria-describedby': `${name}-error` };
  const first = Object.keys(errors)[0] === name;
  const basic = { id: name, name, type: 'text', value: entries[name], required: true };
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input${attributes({ ...basic, ...more, ...described, autofocus: first })} />
    ${error !== undefined && html`<p class="error" id="${name}-error">${error}</p>`}
  </div>`;
}

/** The page of a session that can no longer be paid. @param returnUrl the shop's address for the buyer */
export function closedPage(row: SessionRow, business: string, returnUrl: string | null): Page {
  const [title, text] = closedText(row);
  return messagePage(title, text, returnUrl === null ? null : { href: returnUrl, label: `Return to ${business}` });
}

function closedText({ object, pending }: SessionRow): [title: string, text: string] {
  if (object.status === 'expired') {
    return ['This checkout has expired', 'Nothing was charged. Go back to the shop to start again.'];
  }
  if (object.payment_status === 'paid') return ['This payment is complete', 'There is nothing more to do here.'];
  if (pending) return ['This payment is on its way', 'It takes a while to settle. The shop is notified when it has.'];
  return ['This payment did not go through', 'Nothing was charged. Go back to the shop to try again.'];
}

export function messagePage(
  title: string,
  text: string,
  link: { readonly href: string; readonly label: string } | null,
): Page {
  const button = link && html`<a class="button primary" href="${link.href}">${link.label}</a>`;
  const body = html`<main class="message">
    <h1>${title}</h1>
    <p>${text}</p>
    ${button}
  </main>`;
  return { title: `${title} · Sandbox checkout`, body };
}

export function receiptPage({ object }: ChargeRow, business: string): Page {
  const refunded: [string, string] = ['Refunded', money(object.amount_refunded, object.currency)];
  const body = html`<main class="message more">
    <h1>Receipt from ${business}</h1>
    <p>A test payment. No money moved.</p>
    ${terms([
      ['Amount', money(object.amount, object.currency)],
      ...(object.amount_refunded > 0 ? [refunded] : []),
      ['Paid on', new Date(object.created * 1000).toUTCString()],
      ['Card', `${brandOf(object)} ending in ${object.payment_method_details?.card?.last4}`],
      ['For', object.billing_details.email ?? ''],
      ['Payment', idOf(object.payment_intent) ?? ''],
    ])}
  </main>`;
  return { title: `Receipt from ${business} · Sandbox`, body };
}

function brandOf(charge: ChargeRow['object']): string {
  return charge.payment_method_details?.card?.brand === 'mastercard' ? 'Mastercard' : 'Visa';
}

function totalOf({ object }: SessionRow): string {
  return money(object.amount_total ?? 0, object.currency ?? 'usd');
}

function formatDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 1) return 'right';
  if (seconds < 90) return `about ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  if (seconds < 5400) return `about ${Math.round(seconds / 60)} minutes`;
  return `about ${Math.round(seconds / 3600)} hours`;
}

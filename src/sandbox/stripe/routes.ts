import { type ApiOptions, type Call, type Endpoint } from './endpoint.js';
import { pageOf } from './lists.js';
import { type Params } from './params.js';
import { invalid, noSuch } from './problem.js';
import { type SessionOrder } from './processor.js';
import { type Rows } from './rows.js';

type Route = (method: 'GET' | 'POST' | 'DELETE', path: string, endpoint: Endpoint) => void;

const REFUND_REASONS = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;

/** Registers the part of Stripe's API that the product uses. */
export function registerRoutes(options: ApiOptions, route: Route): void {
  registerSessions(options, route);
  registerRefunds(options, route);
  registerDisputes(options, route);
  registerCustomers(options, route);
  route('GET', '/payment_intents/:id', (call) => one(options, call, 'paymentIntent', 'payment_intent'));
  route('GET', '/charges/:id', (call) => one(options, call, 'charge', 'charge'));
  registerBalance(options, route);
}

/** The balance and its transactions. Payouts to the bank that are due are made first. */
function registerBalance({ ledger }: ApiOptions, route: Route): void {
  route('GET', '/balance', ({ params }) => {
    params.refuseUnknown();
    return ledger.balance();
  });
  route('GET', '/balance_transactions', ({ params }) => {
    ledger.payOutDue();
    const [currency, payout, source, type] = ['currency', 'payout', 'source', 'type'].map((name) => params.text(name));
    if (payout != null) throw invalid('The sandbox does not list by payout.', { param: 'payout' });
    const matching = ledger
      .transactions()
      .filter(
        (each) =>
          (currency == null || each.currency === currency) &&
          (source == null || each.source === source) &&
          (type == null || each.type === type),
      );
    return list('/v1/balance_transactions', params, matching);
  });
}

const objectsOf = <T>(rows: readonly { readonly object: T }[]): T[] => rows.map(({ object }) => object);

function list(url: string, params: Params, all: readonly { readonly id: string; readonly created?: number }[]): object {
  const page = pageOf(all, url, params);
  params.refuseUnknown();
  return page;
}

function one(
  { store }: ApiOptions,
  { id, params }: Call,
  kind: 'paymentIntent' | 'charge' | 'refund' | 'dispute',
  name: string,
): object {
  params.refuseUnknown();
  const row: Rows[typeof kind] | undefined = store.get(kind, id);
  if (!row) throw noSuch(name, id);
  return row.object;
}

/** Customers are added by the operator (`addCustomer`). A deleted one stays as a stub, as at Stripe. */
function registerCustomers({ store }: ApiOptions, route: Route): void {
  route('DELETE', '/customers/:id', ({ id, params }) => {
    params.refuseUnknown();
    const row = store.get('customer', id);
    if (!row || row.object.deleted) throw noSuch('customer', id);
    const deleted = { id, object: 'customer', deleted: true } as const;
    store.put('customer', { id, object: deleted });
    return deleted;
  });
}

function registerSessions(options: ApiOptions, route: Route): void {
  const { store, processor, toApiSession } = options;
  route('POST', '/checkout/sessions', ({ params }) => toApiSession(processor.createSession(sessionOrder(params))));
  route('GET', '/checkout/sessions', ({ params }) => {
    const payment = params.text('payment_intent');
    const status = params.oneOf('status', ['complete', 'expired', 'open']);
    const email = params.group('customer_details')?.text('email') ?? null;
    const rows = store
      .latest('session')
      .filter(
        ({ object }) =>
          (payment === null || object.payment_intent === payment) &&
          (status === null || object.status === status) &&
          (email === null || object.customer_details?.email === email),
      );
    return list('/v1/checkout/sessions', params, rows.map(toApiSession));
  });
  route('GET', '/checkout/sessions/:id', ({ id, params }) => {
    params.refuseUnknown();
    return toApiSession(processor.session(id));
  });
  route('POST', '/checkout/sessions/:id/expire', ({ id, params }) => {
    params.refuseUnknown();
    return toApiSession(processor.expireSession(id));
  });
}

function sessionOrder(params: Params): SessionOrder {
  if (params.required('mode') !== 'payment') {
    throw invalid('The sandbox supports only sessions of mode=payment.', { param: 'mode' });
  }
  const items = params.listOfGroups('line_items').map(lineItem);
  if (items.length === 0) params.missing('line_items');
  const payment = params.group('payment_intent_data');
  const methods = params.listOfTexts('payment_method_types');
  if (methods.some((method) => method !== 'card')) {
    throw invalid('The sandbox supports only payment_method_types[]=card.', { param: 'payment_method_types' });
  }
  const order: SessionOrder = {
    items,
    success_url: address(params, 'success_url') ?? params.missing('success_url'),
    cancel_url: address(params, 'cancel_url'),
    client_reference_id: params.text('client_reference_id', { max: 200 }),
    customer_email: email(params, 'customer_email'),
    expiresAt: params.integer('expires_at'),
    metadata: params.metadata(),
    payment: { description: payment?.text('description') ?? null, metadata: payment?.metadata() ?? {} },
  };
  params.refuseUnknown();
  return order;
}

function lineItem(params: Params): SessionOrder['items'][number] {
  const price = params.group('price_data') ?? params.missing('price_data');
  const product = price.group('product_data') ?? price.missing('product_data');
  const currency = price.required('currency').toLowerCase();
  if (!/^(usd|eur|gbp|cad|aud)$/.test(currency)) {
    throw invalid(`Invalid currency: ${currency}`, { param: price.nameOf('currency') });
  }
  const unitAmount = price.integer('unit_amount') ?? price.missing('unit_amount');
  const quantity = params.integer('quantity') ?? params.missing('quantity');
  if (unitAmount < 0) throw invalid('Invalid non-negative integer', { param: price.nameOf('unit_amount') });
  if (quantity < 1)
    throw invalid('This value must be greater than or equal to 1.', { param: params.nameOf('quantity') });
  const name = product.required('name');
  // Accepted but unused.
  product.text('description');
  product.listOfTexts('images');
  product.metadata();
  return { currency, name, quantity, unitAmount };
}

function address(params: Params, name: string): string | null {
  const value = params.text(name);
  // The placeholder's braces are not valid in an address.
  const url = value?.replaceAll('{CHECKOUT_SESSION_ID}', 'id') ?? '';
  if (value !== null && !/^https?:\/\//.test(URL.canParse(url) ? new URL(url).href : '')) {
    throw invalid('Not a valid URL', { param: name, code: 'url_invalid' });
  }
  return value;
}

function email(params: Params, name: string): string | null {
  const value = params.text(name, { max: 800 });
  if (value !== null && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) {
    throw invalid(`Invalid email address: ${value}`, { param: name, code: 'email_invalid' });
  }
  return value;
}

function registerRefunds(options: ApiOptions, route: Route): void {
  const { store, processor } = options;
  route('POST', '/refunds', ({ params }) => {
    const charge = params.text('charge');
    const payment = params.text('payment_intent');
    const target = charge ?? payment;
    if (target === null) throw invalid('One of the following params should be provided: charge or payment_intent.');
    const order = {
      amount: params.integer('amount'),
      metadata: params.metadata(),
      reason: params.oneOf('reason', REFUND_REASONS),
    };
    params.refuseUnknown();
    return processor.refund(processor.chargeOf(target), order).object;
  });
  route('GET', '/refunds', ({ params }) => {
    const matchesCharge = chargeFilter(params);
    return list('/v1/refunds', params, objectsOf(store.latest('refund')).filter(matchesCharge));
  });
  route('GET', '/refunds/:id', (call) => one(options, call, 'refund', 'refund'));
}

function registerDisputes(options: ApiOptions, route: Route): void {
  const { store } = options;
  route('GET', '/disputes', ({ params }) => {
    const matchesCharge = chargeFilter(params);
    return list('/v1/disputes', params, objectsOf(store.latest('dispute')).filter(matchesCharge));
  });
  route('GET', '/disputes/:id', (call) => one(options, call, 'dispute', 'dispute'));
}

/** The filters that refunds and disputes share. */
function chargeFilter(
  params: Params,
): (object: { readonly charge: unknown; readonly payment_intent: unknown }) => boolean {
  const charge = params.text('charge');
  const payment = params.text('payment_intent');
  return (object) =>
    (charge === null || object.charge === charge) && (payment === null || object.payment_intent === payment);
}

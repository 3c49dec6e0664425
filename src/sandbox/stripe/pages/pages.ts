import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { findCard } from '../cards.js';
import { type StripeSandbox } from '../stripe-sandbox.js';
import { refusal, StripeProblem } from '../problem.js';
import { type Processor } from '../processor.js';
import { type SessionRow } from '../rows.js';
import { type Store } from '../store.js';
import { actionsOf, type Fields } from './actions.js';
import { entriesOf, filledWith, NO_ENTRIES, readForm } from './checkout-form.js';
import { checkoutPage, type CheckoutView, closedPage, messagePage, receiptPage } from './checkout-page.js';
import { dashboardPage } from './dashboard-page.js';
import { layout, type Page } from './layout.js';
import { SCRIPT, STYLE } from './style.js';

export interface PagesOptions {
  readonly store: Store;
  readonly processor: Processor;
  readonly sandbox: Omit<StripeSandbox, 'plugin'>;
  readonly now: () => number;
  readonly settleAfterMs: number;
  /** The merchant's name. */
  readonly business: string | null;
}

interface ById {
  readonly Params: { readonly id: string };
}

/** Registers the pages (checkout, receipts, dashboard) and the dashboard's actions as JSON calls for tests. */
export function registerPages(server: FastifyInstance, options: PagesOptions): void {
  server.register(async (pages) => {
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'application/json'],
      { parseAs: 'string' },
      (_request, body, done) => done(null, body),
    );
    pages.addHook('onRequest', refuseOtherSites);
    pages.setErrorHandler((error, request, reply) => {
      if (!(error instanceof StripeProblem)) throw error;
      if (request.url.includes('/control/')) return reply.status(error.status).send({ error: error.body });
      return send(server, reply.status(error.status), messagePage('This page does not exist', error.message, null));
    });
    pages.get('/assets/sandbox.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLE));
    pages.get('/assets/checkout.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(SCRIPT));
    registerCheckout(pages, options);
    registerDashboard(pages, options);
  });
}

/** Refuses forms of other sites (CSRF). Requests of programs have no Origin. */
async function refuseOtherSites(request: FastifyRequest): Promise<void> {
  const { origin, host } = request.headers;
  if (request.method === 'GET' || request.method === 'HEAD' || origin === undefined) return;
  if (URL.canParse(origin) && new URL(origin).host === host) return;
  throw refusal(403, 'Not from another site.');
}

function registerCheckout(pages: FastifyInstance, options: PagesOptions): void {
  const { processor, store } = options;
  const show = (reply: FastifyReply, row: SessionRow, change: Partial<CheckoutView>): FastifyReply => {
    const view: CheckoutView = {
      row,
      business: businessOf(options, row),
      entries: NO_ENTRIES,
      errors: {},
      declined: null,
      settleAfterMs: options.settleAfterMs,
      ...change,
    };
    return send(pages, reply, checkoutPage(view), row);
  };

  pages.get('/pay/:id', async (request: FastifyRequest<ById>, reply) => {
    const row = processor.session(request.params.id);
    if (!isPayable(row, options.now())) return send(pages, reply, closed(options, row), row);
    const query = new URLSearchParams(request.url.split('?')[1] ?? '');
    const card = findCard(query.get('card') ?? '');
    const entries = entriesOf(card ? query : new URLSearchParams(), row.object.customer_email);
    return show(reply, row, { entries: card ? filledWith(card, entries) : entries });
  });

  pages.post('/pay/:id', async (request: FastifyRequest<ById>, reply) => {
    const row = processor.session(request.params.id);
    // A repeated submit goes where the first one led.
    if (row.object.status === 'complete') return reply.redirect(successUrl(row), 303);
    if (!isPayable(row, options.now())) return send(pages, reply.status(410), closed(options, row), row);
    const entries = entriesOf(new URLSearchParams(String(request.body)), row.object.customer_email);
    const reading = readForm(entries, new Date(options.now()));
    if (!reading.ok) return show(reply.status(422), row, reading);
    const { card, buyer } = reading;
    const declined = await options.sandbox.pay(row.id, card.number, { ...buyer, name: buyer.name ?? '' });
    if (declined !== null) return show(reply.status(402), row, { entries: { ...entries, cvc: '' }, declined });
    return reply.redirect(successUrl(row), 303);
  });

  pages.get('/receipts/:id', async (request: FastifyRequest<ById>, reply) => {
    const charge = store.get('charge', request.params.id);
    if (!charge) throw refusal(404, 'There is no such receipt.');
    return send(pages, reply, receiptPage(charge, options.business ?? 'the shop'));
  });
}

/** False as soon as the session's time is over, even if its expiry is not applied yet. */
function isPayable({ object }: SessionRow, now: number): boolean {
  return object.status === 'open' && object.expires_at * 1000 > now;
}

function closed(options: PagesOptions, row: SessionRow): Page {
  const expired = row.object.status !== 'complete';
  const shown: SessionRow = expired ? { ...row, object: { ...row.object, status: 'expired' } } : row;
  return closedPage(shown, businessOf(options, row), expired ? row.object.cancel_url : successUrl(row));
}

function businessOf({ business }: PagesOptions, row: SessionRow): string {
  return business ?? new URL(successUrl(row)).host;
}

function successUrl({ id, object }: SessionRow): string {
  return (object.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', id);
}

function registerDashboard(pages: FastifyInstance, options: PagesOptions): void {
  const actions = actionsOf(options.sandbox);
  const show = (reply: FastifyReply, change: { done?: string | null; refused?: string; after?: string | null }) =>
    send(
      pages,
      reply,
      dashboardPage({ store: options.store, prefix: pages.prefix, after: null, done: null, refused: null, ...change }),
    );

  pages.get('/dashboard', async (request, reply) => {
    const query = new URLSearchParams(request.url.split('?')[1] ?? '');
    return show(reply, { after: query.get('after'), done: actions[query.get('done') ?? '']?.done ?? null });
  });
  pages.post('/dashboard/:id', async (request: FastifyRequest<ById>, reply) => {
    const action = actions[request.params.id];
    if (!action) throw unknownAction(request.params.id);
    try {
      await action.run(Object.fromEntries(new URLSearchParams(String(request.body))));
    } catch (error) {
      if (error instanceof StripeProblem) return show(reply.status(error.status), { refused: error.message });
      throw error;
    }
    return reply.redirect(`${pages.prefix}/dashboard?done=${request.params.id}`, 303);
  });
  pages.post('/control/:id', async (request: FastifyRequest<ById>) => {
    const action = actions[request.params.id];
    if (!action) throw unknownAction(request.params.id);
    return { result: (await action.run(jsonOf(request))) ?? null };
  });
}

/** JSON is required: a browser sends it to another site only after a CORS preflight. */
function jsonOf(request: FastifyRequest): Fields {
  if (!request.headers['content-type']?.startsWith('application/json')) {
    throw refusal(415, 'The body must be JSON.');
  }
  try {
    return JSON.parse(String(request.body)) as Fields;
  } catch {
    throw refusal(400, 'The body is not JSON.');
  }
}

function unknownAction(name: string): StripeProblem {
  return refusal(404, `There is no action ${name}.`);
}

/** @param row the session whose shop the page's forms may redirect to */
function send(server: FastifyInstance, reply: FastifyReply, page: Page, row?: SessionRow): FastifyReply {
  const shops = row
    ? [row.object.success_url, row.object.cancel_url].flatMap((url) => (url ? [originOf(url)] : []))
    : [];
  const policy = [
    `default-src 'none'`,
    `style-src 'self'`,
    `script-src 'self'`,
    `img-src data:`,
    // Browsers check the redirect target of a form as well.
    `form-action ${["'self'", ...new Set(shops)].join(' ')}`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
  return reply
    .header('content-security-policy', policy)
    .type('text/html; charset=utf-8')
    .send(layout(server.prefix, page));
}

function originOf(url: string): string {
  return new URL(url.replaceAll('{CHECKOUT_SESSION_ID}', 'id')).origin;
}

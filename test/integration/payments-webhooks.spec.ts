import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { PaymentsApp } from '../support/payments-app.js';
import { recordStatements } from '../support/statements.js';

jest.setTimeout(60_000);

let app: PaymentsApp;

beforeAll(async () => {
  app = await PaymentsApp.start();
});
afterAll(() => app.close());

const signatureWith = (secret: string, seconds: number, body: string): string =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;

const nowSeconds = (): number => Math.floor(app.clock.now().getTime() / 1000);

/** A paid checkout, and its event as the processor would send it now. */
async function paidEvent() {
  const user = app.newUser();
  const session = await app.paid(user);
  const event = app.eventOf(session, 'checkout.session.completed');
  return { user, session, event, ...app.sandbox.signed(event) };
}

async function expectNothingHappened(user: string, eventId: string): Promise<void> {
  await app.settleDown();
  const stored = await app.db.selectFrom('payment_event').select('id').where('id', '=', eventId).execute();
  expect(stored).toEqual([]);
  expect(await app.ledgerTypes(user)).toEqual([]);
}

describe('POST /webhooks/stripe', () => {
  it('refuses a forged, missing or foreign signature and changes nothing', async () => {
    const { user, event, body, signature } = await paidEvent();
    const { webhookSecret } = app.sandbox.settings;
    const tampered = body.replace('"amount_total": 2500', '"amount_total": 9900');
    expect(tampered).not.toBe(body);
    const attempts: [string, string | null][] = [
      [body, signatureWith('whsec_guessed', nowSeconds(), body)],
      [body, null],
      [body, ''],
      [body, 'v1=00'],
      [body, signature.replace('v1=', 'v0=')],
      [body, `t=${nowSeconds()},v1=${'0'.repeat(64)}`],
      [tampered, signature],
      [`${body} `, signature],
      [JSON.stringify(JSON.parse(body)), signature],
      ['', signature],
      ['{}', signatureWith('', nowSeconds(), '{}')],
      // The signed time cannot be moved either.
      [body, signature.replace(/t=\d+/, `t=${nowSeconds() + 10}`)],
      [body, signatureWith(`${webhookSecret} `, nowSeconds(), body)],
    ];
    for (const [sent, header] of attempts) {
      expect({ header, status: await app.deliverRaw(sent, header) }).toEqual({ header, status: 400 });
    }
    await expectNothingHappened(user, event.id);
  });

  it('refuses signatures more than five minutes old or ahead, and accepts the others', async () => {
    const stale = await paidEvent();
    app.clock.advance(301_000);
    expect(await app.deliverRaw(stale.body, stale.signature)).toBe(400);
    await expectNothingHappened(stale.user, stale.event.id);

    const early = await paidEvent();
    const { webhookSecret } = app.sandbox.settings;
    const ahead = (seconds: number): string => signatureWith(webhookSecret ?? '', nowSeconds() + seconds, early.body);
    expect(await app.deliverRaw(early.body, ahead(301))).toBe(400);
    await expectNothingHappened(early.user, early.event.id);
    expect(await app.deliverRaw(early.body, ahead(299))).toBe(200);

    const late = await paidEvent();
    app.clock.advance(299_000);
    expect(await app.deliverRaw(late.body, late.signature)).toBe(200);
    await app.settleDown();
    expect(await app.ledgerTypes(late.user)).toContain('CreditsPurchased');
  });

  it.each([
    'not json',
    'null',
    '[]',
    '{}',
    '"event"',
    '{"id":"evt_1","type":"checkout.session.completed","created":1,"data":null}',
    '{"id":"evt_1","type":"checkout.session.completed","created":1,"data":{"object":{}}}',
    '{"id":"evt_1","type":"checkout.session.completed","created":"x","data":{"object":{"id":"cs_1"}}}',
    '{"id":7,"type":"checkout.session.completed","created":1,"data":{"object":{"id":"cs_1"}}}',
    '{"id":"evt_1","type":"charge.refunded","created":1,"data":{"object":{"id":"ch_1","payment_intent":7}}}',
  ])('refuses a signed body that is no event: %s', async (body) => {
    const signature = signatureWith(app.sandbox.settings.webhookSecret ?? '', nowSeconds(), body);
    expect(await app.deliverRaw(body, signature)).toBe(400);
  });

  it('answers a replayed event with 200 and changes nothing', async () => {
    const { user, event, body, signature } = await paidEvent();
    expect(await app.deliverRaw(body, signature)).toBe(200);
    await app.settleDown();
    const before = await app.ledger(user);
    const row = await app.db.selectFrom('payment_event').selectAll().where('id', '=', event.id).executeTakeFirst();
    for (let count = 0; count < 3; count += 1) expect(await app.deliverRaw(body, signature)).toBe(200);
    await app.settleDown();
    expect(await app.ledger(user)).toEqual(before);
    const after = await app.db.selectFrom('payment_event').selectAll().where('id', '=', event.id).executeTakeFirst();
    expect(after).toEqual(row);
  });

  it("reads the payment from the processor and ignores the event's own claims, even signed ones", async () => {
    const user = app.newUser();
    const session = await app.checkout(user);
    await app.sandbox.expire(session);
    const expired = app.eventOf(session, 'checkout.session.expired');
    const lie = {
      ...expired,
      id: 'evt_lie',
      type: 'checkout.session.completed',
      data: { object: { ...expired.data.object, status: 'complete', payment_status: 'paid' } },
    };
    expect(await app.deliver(lie as typeof expired)).toBe(200);
    await app.settleDown();
    expect(await app.ledgerTypes(user)).toEqual([]);
  });

  it('acknowledges irrelevant events and does not store them', async () => {
    const { session } = await paidEvent();
    const event = app.eventOf(session, 'payment_intent.succeeded');
    expect(await app.deliver(event)).toBe(200);
    expect(await app.db.selectFrom('payment_event').select('id').where('id', '=', event.id).execute()).toEqual([]);
  });

  it('stores only ids of an event and no data of the buyer', async () => {
    const { session, event } = await paidEvent();
    await app.deliver(event);
    await app.settleDown();
    const { email } = (event.data.object as { customer_details: { email: string } }).customer_details;
    expect(email).toContain('@');
    const rows = await Promise.all([
      app.db.selectFrom('payment_event').selectAll().where('object_id', '=', session).execute(),
      app.db.selectFrom('checkout').selectAll().where('session_id', '=', session).execute(),
    ]);
    expect(JSON.stringify(rows)).not.toContain(email);
  });

  it('costs one round trip to the database before its answer', async () => {
    const { event } = await paidEvent();
    // The worker begins after the answer; here it must not be counted.
    const wake = jest.spyOn(app.worker, 'wake').mockImplementation(() => undefined);
    const recorder = recordStatements();
    try {
      expect(await app.deliver(event)).toBe(200);
      const statements = recorder.all.filter(({ requestId }) => requestId !== null);
      expect(statements.map(({ text }) => text)).toEqual([expect.stringMatching(/^insert into "payment_event"/)]);
      expect(wake).toHaveBeenCalledTimes(1);
    } finally {
      recorder.stop();
      wake.mockRestore();
    }
  });

  it('answers 404 without an endpoint secret, and the reconciliation finds the payment', async () => {
    const bare = await PaymentsApp.start({ webhookSecret: false });
    try {
      const user = bare.newUser();
      const session = await bare.paid(user);
      expect(await bare.deliver(bare.eventOf(session, 'checkout.session.completed'))).toBe(404);
      await bare.reconciler.reconcile();
      expect((await bare.balances(user)).paid).toBe(250);
    } finally {
      await bare.close();
    }
  });
});

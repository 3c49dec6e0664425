import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DueWork } from '../../src/platform/due-work.js';
import { GenerationApp } from '../support/generation-app.js';
import { until } from '../support/until.js';

let app: GenerationApp;
beforeAll(async () => {
  app = await GenerationApp.start();
});
afterAll(() => app?.close());

/** One number of the database. */
async function count(query: string): Promise<number> {
  const { rows } = await app.pool.query<{ count: string }>(query);
  return Number(rows[0]?.count);
}

describe('DueWork', () => {
  it('starts the work of each kind that is due, and no other', async () => {
    const creatorId = await app.newCreator();
    const { id } = await app.drawing(creatorId);
    const now = app.clock.now();
    const ago = new Date(now.getTime() - 1_000);
    const later = new Date(now.getTime() + 60_000);
    const event = `insert into payment_event (id, type, occurred_at, object_id, received_at, not_before)
      values ($1, 'charge.refunded', $2, 'ch_1', $2, $3)`;
    await app.pool.query(event, ['evt_due', ago, ago]);
    await app.get(DueWork).run();
    await until(async () => (await count(`select attempts as count from payment_event`)) > 0, 'the event');
    expect((await app.row(id)).status).toBe('pending');

    await app.pool.query(event, ['evt_later', ago, later]);
    await app.pool.query('update generation set not_before = $1, created_at = $2 where id = $3', [
      ago,
      new Date(0),
      id,
    ]);
    await app.pool.query(
      'update creator set withdrawn_at = $1, style_changed_at = $1, style_due_at = $1 where id = $2',
      [ago, creatorId],
    );
    await app.pool.query(
      `insert into app_user (id, email, created_at, updated_at, deleted_at) values ($1, 'gone@fanvas.test', $2, $2, $2)`,
      [`user_${randomUUID()}`, ago],
    );
    await app.get(DueWork).run();
    await until(async () => (await app.row(id)).status === 'failed', 'the generation');
    await until(
      () => count(`select count(*) from creator where style_due_at is distinct from style_changed_at`),
      'the creator',
    );
    await until(() => count(`select count(*) from account_closure`), 'the closure');
    expect(await count(`select attempts as count from payment_event where id = 'evt_later'`)).toBe(0);
  });
});

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createPool } from '../../src/platform/database/pool.js';
import { startEmbeddedPostgres } from '../../src/platform/embedded/embedded-postgres.js';
import { type ApiUser, rpc, signUp } from '../support/api-client.js';
import { type AppProcess, freePort, startApp } from '../support/app-process.js';
import { seededData } from '../support/seeded-data.js';

jest.setTimeout(90_000);

interface ErrorBody {
  readonly code: string;
  readonly message: string;
}

describe('bad input', () => {
  let dataDir: string;
  let app: AppProcess;
  let fan: ApiUser;
  let creatorId: string;

  beforeAll(async () => {
    dataDir = await seededData();
    app = await startApp({
      dataDir,
      port: await freePort(),
      env: { SANDBOX_DEMO: 'small', SANDBOX_DRAW_MS: '100', LOG_LEVEL: 'info' },
    });
    creatorId = (await rpc<{ id: string }[]>(app.url, 'get_public_creators')).body[0]?.id ?? '';
    fan = await signUp(app.url, 'fan@input.test', 'correct-horse-9');
    await fan.rpc('grant_daily_credits_by_jwt');
  });
  afterAll(async () => {
    await app?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const start = (fields: object): Promise<{ status: number; body: ErrorBody }> =>
    fan.rpc<ErrorBody>('start_generation_by_jwt', { p_prompt: 'a quiet harbour', p_creator_id: creatorId, ...fields });

  async function expectNothingChanged(): Promise<void> {
    const { body: credits } = await fan.rpc<{ total_balance: number }>('get_user_credit_breakdown');
    expect(credits.total_balance).toBe(40);
    expect((await fan.rpc('get_user_generations_by_jwt_paginated', { p_limit: 5, p_offset: 0 })).body).toEqual([]);
  }

  // These stay below the limit of five starts a minute, which would answer instead.
  it('rejects an empty prompt, and one of markup alone, without a charge', async () => {
    for (const prompt of ['', '   ', '<script>alert(1)</script>', '<b><i></i></b>']) {
      const { status, body } = await start({ p_prompt: prompt });
      expect([status, body.message]).toEqual([422, 'Invalid prompt content']);
    }
    await expectNothingChanged();
  });

  it('rejects an unknown creator, and the sixth start within a minute, without a charge', async () => {
    const ask = () =>
      fan.rpc<ErrorBody>('start_generation_by_jwt', {
        p_prompt: 'a quiet harbour',
        p_creator_id: '01a00000-0000-7000-8000-000000000000',
      });
    const unknown = await ask();
    expect(unknown.status).toBe(404);
    expect(unknown.body.message).toBe('Creator not available for generation. Please try a different creator.');
    // The count starts again when a new minute begins in between.
    let limited = await ask();
    for (let count = 0; limited.status === 404 && count < 10; count += 1) limited = await ask();
    expect(limited.status).toBe(429);
    expect(limited.body.message).toMatch(/^Too many requests\. Please try again in \d+ seconds\.$/);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    await expectNothingChanged();
  });

  it('rejects a forged, a foreign and a missing token', async () => {
    const [head, body, signature = ''] = (await fan.token()).split('.');
    const forged = `${head}.${body}.${signature.slice(0, -8)}AAAAAAAA`;
    const admin = Buffer.from(JSON.stringify({ sub: 'user_admin', exp: 4_000_000_000 })).toString('base64url');
    for (const token of [forged, `${head}.${admin}.${signature}`, 'nonsense']) {
      const answer = await rpc<ErrorBody>(app.url, 'get_user_credit_breakdown', {}, token);
      expect(answer.status).toBe(401);
      expect(answer.body.message).toBe('Authentication failed: Your session may have expired. Please sign in again.');
    }
    expect((await rpc(app.url, 'start_generation_by_jwt', { p_prompt: 'x', p_creator_id: creatorId })).status).toBe(
      401,
    );
    await expectNothingChanged();
  });

  it('rejects malformed JSON, fields of the wrong type, and an unknown procedure', async () => {
    const malformed = await fetch(`${app.url}/rest/v1/rpc/get_gallery_generations_public`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"p_creator_id": ',
    });
    expect(malformed.status).toBe(400);
    expect(await malformed.json()).toMatchObject({ code: '22023', message: 'The request is not valid.', hint: null });
    const wrong = await rpc<ErrorBody>(app.url, 'get_gallery_generations_public', { p_creator_id: { $ne: null } });
    expect([wrong.status, wrong.body.code]).toEqual([400, '22023']);
    const unknown = await rpc<ErrorBody>(app.url, 'drop_all_tables');
    expect([unknown.status, unknown.body.code]).toEqual([404, 'PGRST202']);
  });

  it('answers 404 to GET on a procedure, to an unknown file, and to path traversal', async () => {
    expect((await fetch(`${app.url}/rest/v1/rpc/get_public_creators`)).status).toBe(404);
    for (const path of [
      '/assets/nothing.js',
      '/media/..%2f..%2fpackage.json',
      '/media/%2e%2e%2fx/1024.webp',
      '/.env',
    ]) {
      expect((await fetch(app.url + path)).status).toBe(404);
    }
  });

  it('answers /index.html with a page of its own, not with the template', async () => {
    const answer = await fetch(`${app.url}/index.html`);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(await answer.text()).toContain('<script id="fanvas-config"');
  });

  it('rejects a webhook without a signature', async () => {
    for (const path of ['/webhooks/replicate', '/webhooks/clerk']) {
      const answer = await fetch(app.url + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'webhook-id': 'x', 'svix-id': 'x' },
        body: '{"id":"x","status":"succeeded"}',
      });
      expect([400, 401]).toContain(answer.status);
    }
  });

  it('cuts a prompt of 10 kB to 1000 characters, and logs neither prompt nor address', async () => {
    const reader = await signUp(app.url, 'long@input.test', 'correct-horse-9');
    const prompt = `tower ${'of quiet light '.repeat(700)}`;
    const { body } = await reader.rpc<{ generation_id: string }>('start_generation_by_jwt', {
      p_prompt: prompt,
      p_creator_id: creatorId,
    });
    const postgres = await startEmbeddedPostgres({ folder: join(dataDir, 'postgres'), database: 'fanvas' });
    const pool = createPool(postgres.url, { max: 1 });
    const { rows } = await pool.query<{ prompt: string }>('select prompt from generation where id = $1', [
      body.generation_id,
    ]);
    await pool.end();
    await postgres.stop();
    expect(rows[0]?.prompt).toHaveLength(1000);
    expect(app.output()).not.toContain('quiet light');
    expect(app.output()).not.toContain('@input.test');
  });
});

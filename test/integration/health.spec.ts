import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Readiness } from '../../src/platform/http/readiness.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

jest.setTimeout(30_000);

describe('GET /readyz', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp({ settings: { TRUST_PROXY: 'true' } });
    app.get(Readiness).ready();
  });
  afterAll(() => app.close());

  it('shows the positions of projections to programs on this machine only', async () => {
    const ask = async (headers: Record<string, string>): Promise<unknown> =>
      (await fetch(`${app.url}/readyz`, { headers })).json();
    expect(JSON.stringify(await ask({}))).toContain('position');
    const fromAfar = await ask({ 'x-forwarded-for': '203.0.113.1' });
    expect(fromAfar).toMatchObject({ status: 'ready' });
    expect(JSON.stringify(fromAfar)).not.toContain('position');
  });
});

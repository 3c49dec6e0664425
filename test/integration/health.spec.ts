import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Readiness } from '../../src/platform/http/readiness.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

jest.setTimeout(30_000);

const TOKEN = 'm'.repeat(32);

describe('GET /readyz', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp({ settings: { METRICS_TOKEN: TOKEN } });
    app.get(Readiness).ready();
  });
  afterAll(() => app.close());

  it('shows the positions of projections only to callers that may read the metrics', async () => {
    const ask = async (headers: Record<string, string>): Promise<unknown> =>
      (await fetch(`${app.url}/readyz`, { headers })).json();
    expect(JSON.stringify(await ask({ authorization: `Bearer ${TOKEN}` }))).toContain('position');
    const withoutToken = await ask({});
    expect(withoutToken).toMatchObject({ status: 'ready' });
    expect(JSON.stringify(withoutToken)).not.toContain('position');
  });
});

import { appendFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { killProcesses } from '../support/killed-processes.js';
import { ProxiedInstallation } from '../support/proxied-installation.js';
import { seededRandom } from '../support/random.js';

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? '5');
const SEED = Number(process.env['SOAK_SEED'] ?? '20261121');

jest.setTimeout((MINUTES + 10) * 60_000);

describe('several processes behind HAProxy', () => {
  let installation: ProxiedInstallation;
  beforeAll(async () => {
    installation = await ProxiedInstallation.create({ SANDBOX_DEMO: 'small', SANDBOX_DRAW_MS: '150' });
  });
  afterAll(() => installation?.remove());

  it.each([2, 4])(
    'loses nothing and does nothing twice when one of %i processes is killed every ten seconds',
    async (processes) => {
      const report = await killProcesses(installation, processes, MINUTES, seededRandom(SEED));
      const file = process.env['SOAK_PROCESSES_REPORT'];
      if (file) await appendFile(file, `${JSON.stringify({ minutes: MINUTES, ...report })}\n`);
      process.stdout.write(`${JSON.stringify(report)}\n`);
      expect(report.problems).toEqual([]);
      expect(report.kills).toBeGreaterThan(0);
      expect(report.requests.resent).toBeGreaterThan(0);
      expect(report.fans.delivered).toBeGreaterThan(0);
      expect(report.fans.refunds).toBeGreaterThan(0);
    },
  );
});

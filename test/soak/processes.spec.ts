import { appendFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { killProcesses } from '../support/killed-processes.js';
import { finishWork, measureIdleProcess } from '../support/process-cost.js';
import { ProxiedInstallation } from '../support/proxied-installation.js';
import { seededRandom } from '../support/random.js';

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? '5');
const SEED = Number(process.env['SOAK_SEED'] ?? '20261121');

jest.setTimeout((MINUTES + 20) * 60_000);

/** Adds a line for docs/soak.md. */
async function write(report: object): Promise<void> {
  const line = `${JSON.stringify(report)}\n`;
  process.stdout.write(line);
  const file = process.env['SOAK_PROCESSES_REPORT'];
  if (file) await appendFile(file, line);
}

describe('several processes behind HAProxy', () => {
  let installation: ProxiedInstallation;
  beforeAll(async () => {
    const demo = { SANDBOX_DEMO: 'small', SANDBOX_PAST_MONTHS: '2', SANDBOX_DRAW_MS: '150' };
    installation = await ProxiedInstallation.create(demo);
  });
  afterAll(() => installation?.remove());

  it.each([2, 4])(
    'loses nothing and does nothing twice when one of %i processes is killed every ten seconds',
    async (processes) => {
      const report = await killProcesses(installation, processes, MINUTES, seededRandom(SEED));
      await write({ minutes: MINUTES, ...report });
      expect(report.problems).toEqual([]);
      expect(report.kills).toBeGreaterThan(0);
      expect(report.requests.resent).toBeGreaterThan(0);
      expect(report.fans.delivered).toBeGreaterThan(0);
      expect(report.fans.refunds).toBeGreaterThan(0);
    },
  );

  it.each(['web,worker', 'web', 'worker'])('spends little on an idle process with the roles %s', async (roles) => {
    await finishWork(installation);
    const cost = await measureIdleProcess(installation, roles);
    await write(cost);
    expect(cost.transactionsPerSecond).toBeLessThan(5);
    expect(cost.corePercent).toBeLessThan(1);
    expect(cost.startSeconds).toBeLessThan(3);
  });
});

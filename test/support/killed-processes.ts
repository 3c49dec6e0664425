import { setTimeout as delay } from 'node:timers/promises';
import { type GenerationView } from '../../src/contract/generation.js';
import { DEMO_PASSWORD } from '../../src/sandbox/demo/demo-accounts.js';
import { type ApiUser, signIn } from './api-client.js';
import { auditCredits } from './audit.js';
import { type FanCounts, FansUnderAttack } from './fans-under-attack.js';
import { eventsOf } from './generation-events.js';
import { type ProxiedInstallation } from './proxied-installation.js';
import { ResentRequests } from './resent-requests.js';
import { until } from './until.js';

const KILL_EVERY_MS = 10_000;
const FANS = 6;
/** A killed process leaves a generation pending for a minute. */
const SETTLE_MS = 120_000;
/** Longest time until the proxy sends requests to a process that is ready, ms. */
const NOTICE_MS = 30_000;

export interface KilledProcessesReport {
  readonly processes: number;
  readonly kills: number;
  /** Longest time from the start of a process until it was ready, seconds. */
  readonly slowestStartSeconds: number;
  readonly requests: Readonly<ResentRequests['counts']>;
  readonly fans: Readonly<FanCounts>;
  /** Sentences; empty when nothing was lost, failed or done twice. */
  readonly problems: readonly string[];
}

/**
 * Lets fans and an admin use an installation whose processes are killed, one every ten seconds, and started again.
 * Afterwards compares all that was acknowledged with the ledger, and audits it by the command line.
 * @param random returns numbers from 0 to 1
 */
export async function killProcesses(
  installation: ProxiedInstallation,
  processes: number,
  minutes: number,
  random: () => number,
): Promise<KilledProcessesReport> {
  await installation.start(processes);
  const requests = new ResentRequests();
  const { url, sandboxes } = installation;
  const admin = await signIn(url, 'admin@fanvas.test', DEMO_PASSWORD, {
    sandboxes,
    send: requests.client('10.0.0.1', true),
  });
  await admin.verifyAgain(DEMO_PASSWORD);
  const fans = new FansUnderAttack(url, () => 0, {
    sandboxes,
    admin,
    // Half of them are browsers, whose requests go to one process each.
    sendOf: (fan) => requests.client(`10.1.${fan >> 8}.${fan & 255}`, fan % 2 === 0),
    watch: (id, fan) => watch(url, requests, id, fan),
  });
  fans.start(FANS);
  const { kills, slowestStartMs, unexpected } = await killRepeatedly(installation, requests, minutes * 60_000, random);
  await fans.stop();
  const problems = [...unexpected, ...requests.problems, ...fans.problems, ...(await audit(installation, fans))];
  if (problems.length > 0) process.stdout.write(installation.proxyOutput());
  await installation.stop();
  return {
    processes,
    kills,
    slowestStartSeconds: Math.round(slowestStartMs / 100) / 10,
    requests: requests.counts,
    fans: fans.counts,
    problems,
  };
}

/** Follows the live status to its end, on a new stream when a process was killed. */
async function watch(
  url: string,
  requests: ResentRequests,
  id: string,
  fan: ApiUser,
): Promise<GenerationView['status']> {
  for (;;) {
    const begin = performance.now();
    const failure = await statusOf(url, id, fan).catch((error: unknown) => String((error as Error).cause ?? error));
    if (failure === 'completed' || failure === 'failed') return failure;
    if (!requests.killedSince(begin)) throw new Error(`The live status of ${id} ended with ${failure}.`);
  }
}

/** @returns the status of the last event of a stream */
async function statusOf(url: string, id: string, fan: ApiUser): Promise<string> {
  const headers = { Authorization: `Bearer ${await fan.token()}` };
  const response = await fetch(`${url}/events/generations/${id}`, { headers });
  if (!response.ok) return `${response.status} ${await response.text()}`;
  let status: string = 'no event';
  for await (const event of eventsOf(response)) status = event.status;
  return status;
}

async function killRepeatedly(
  installation: ProxiedInstallation,
  requests: ResentRequests,
  ms: number,
  random: () => number,
): Promise<{ kills: number; slowestStartMs: number; unexpected: string[] }> {
  let kills = 0;
  let slowestStartMs = 0;
  const unexpected: string[] = [];
  const end = performance.now() + ms;
  while (performance.now() < end) {
    const due = performance.now() + KILL_EVERY_MS;
    const { ports } = installation;
    const port = ports[Math.floor(random() * ports.length)] ?? 0;
    await requests.duringKill(installation.kill(port));
    kills += 1;
    unexpected.push(...errorsIn(installation.outputOf(port)));
    const begin = performance.now();
    await installation.startProcess(port);
    slowestStartMs = Math.max(slowestStartMs, performance.now() - begin);
    await until(() => installation.servesAll(), 'the proxy to serve all processes', NOTICE_MS, 100);
    await delay(Math.max(0, due - performance.now()));
  }
  for (const port of installation.ports) unexpected.push(...errorsIn(installation.outputOf(port)));
  return { kills, slowestStartMs, unexpected };
}

/** The errors in a log, without their stacks. */
function errorsIn(output: string): string[] {
  return output
    .split('\n')
    .filter((line) => /^{"level":"(error|fatal)"/.test(line))
    .map((line) => {
      const { time, route, status, msg, error } = JSON.parse(line) as Readonly<
        Record<'time' | 'route' | 'msg', string | undefined> & { status?: number; error?: { message?: string } }
      >;
      return [time, msg, route, status, error?.message].filter((part) => part !== undefined).join(' ');
    });
}

async function audit(installation: ProxiedInstallation, fans: FansUnderAttack): Promise<string[]> {
  const { pool } = installation.database;
  const look = async (): Promise<string[]> => [...(await auditCredits(pool)), ...(await fans.compareBooks(pool))];
  const end = performance.now() + SETTLE_MS;
  let problems = await look();
  while (problems.length > 0 && performance.now() < end) {
    await delay(1_000);
    problems = await look();
  }
  for (const verb of [['verify'], ['replay'], ['reconcile', '--from', '2026-01-01']]) {
    const { code, output } = await installation.ledger(...verb);
    if (code !== 0) problems.push(`ledger ${verb.join(' ')} ended with ${code}: ${output.slice(-2_000)}`);
  }
  return problems;
}

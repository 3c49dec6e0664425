import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { until } from '../support/until.js';

jest.setTimeout(120_000);

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Starts the benchmarks as npm does. */
const BENCH = `
  const env = { ...process.env, npm_lifecycle_event: 'bench' };
  spawn(process.execPath, ['scripts/bench.mjs', '--quick', 'inserts'], { stdio: 'inherit', env });`;
const TESTS = `
  const { runJest } = await import(process.cwd() + '/scripts/lib/jest.mjs');
  await runJest(['integration'], { serial: true, args: ['request-budget'] });`;

describe('the database of a run', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'fanvas-run-'));
    // Postgres runs as another user when this one is root.
    chmodSync(folder, 0o1777);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs the script in a process group of its own, with temporary files in `folder`. */
  const run = (script: string): ChildProcess =>
    spawn(process.execPath, ['--input-type=module', '-e', `import { spawn } from 'node:child_process'; ${script}`], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });

  const data = (): string[] => readdirSync(folder).filter((name) => name.startsWith('fanvas-'));

  /** The process id of the server, once it accepts connections: the last line of its file says so. */
  const postmaster = (): number | null => {
    const files = data().map((name) => path.join(folder, name, 'postgres/server/data/postmaster.pid'));
    const file = files.find((name) => existsSync(name));
    const lines = file === undefined ? [] : readFileSync(file, 'utf8').trimEnd().split('\n');
    return lines.at(-1)?.trim() === 'ready' ? Number(lines[0]) : null;
  };

  it.each([
    ['a benchmark whose npm was killed', BENCH, (pid: number) => process.kill(pid, 'SIGKILL')],
    ['a test run whose terminal was closed', TESTS, (pid: number) => process.kill(-pid, 'SIGHUP')],
  ])('ends with %s', async (_, script, end) => {
    const child = run(script);
    // Each process of the run holds these pipes, and the last one closes them.
    let printed = '';
    const print = (chunk: Buffer): void => void (printed += chunk.toString());
    child.stderr!.on('data', print);
    const closed = once(child.stdout!.on('data', print), 'close');
    const server = await until(
      () => {
        if (child.exitCode !== null) throw new Error(`The run ended before its server was ready:\n${printed}`);
        return postmaster();
      },
      'the server',
      60_000,
    );
    end(child.pid!);
    await closed;
    // Empty, or Z: it has ended, and nothing has asked for its exit code.
    expect(spawnSync('ps', ['-o', 'stat=', '-p', String(server)], { encoding: 'utf8' }).stdout).toMatch(/^(Z.*)?\s*$/);
    expect(data()).toEqual([]);
    // It was ended before its results, which take longer than noticing the loss.
    expect(printed).not.toContain('| What');
  });
});

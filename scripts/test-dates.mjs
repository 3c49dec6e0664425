/**
 * `npm run test:dates`: runs `npm test` on other dates. A test that counts days from now can fail on some days of a
 * month, or in some hours of a day, only.
 *
 *   npm run test:dates                          everything, on each date
 *   npm run test:dates -- unit web              only these parts of `npm test`
 *   npm run test:dates -- --only 2028-02-29T12:00Z
 *
 * Debian's libfaketime shifts the clock of each process of a mount namespace, also of those that are started without
 * the environment of the tests. That needs root on Debian.
 */
import './lib/node-version.mjs';
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './lib/build.mjs';
import { needPackages } from './lib/debian-packages.mjs';
import { runScript, say, StepFailed } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { root, run } from './lib/run.mjs';

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

/**
 * Waits of the library without its own wrapper: inside that, signal handlers see the real clock, and Postgres would
 * never end a slow statement.
 */
const WAITS = `#define _GNU_SOURCE
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>
int epoll_wait(int set, struct epoll_event *events, int most, int timeout) {
  return syscall(SYS_epoll_wait, set, events, most, timeout);
}
`;

/** Every process reads these two files at its start: libraries to load, and the shift of the clock. */
const PRELOAD = '/etc/ld.so.preload';
const SHIFT = '/etc/faketimerc';

/** Timers and limits of the tests keep the real speed; Chromium hangs with the library's own correction of waits. */
const SETTINGS = { FAKETIME_DONT_FAKE_MONOTONIC: '1', FAKETIME_FORCE_MONOTONIC_FIX: '0' };

await runScript(async () => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } });
  const dates = values.only ? [dateOf(values.only)] : comingDates(new Date());
  await ensureDependencies();
  await ensureBuilt();
  await needPackages(LIBRARY, 'faketime', 'gcc', 'libc6-dev');
  /** @type {string[]} */
  const failed = [];
  for (const date of dates) {
    say(`\nThe clock is set to ${date.toISOString()}`);
    if (!(await testAt(date, positionals))) failed.push(date.toISOString());
  }
  if (failed.length > 0) throw new StepFailed(`Failed on ${failed.join(' and ')}.`);
  say(`\nAll tests passed on ${dates.length === 1 ? 'this date' : `these ${dates.length} dates`}.`);
});

/**
 * Six minutes before the end of this month, or in December of the next, and before the end of this year; the first
 * morning of a March, where 30 days ago are in January; and a 29 February.
 * @param {Date} now
 */
function comingDates(now) {
  const year = now.getUTCFullYear();
  const nextMonth = now.getUTCMonth() + 1;
  const leapYear = Math.ceil((year + 1) / 4) * 4;
  return [
    new Date(Date.UTC(year, nextMonth === 12 ? 13 : nextMonth, 1, 0, -6)),
    new Date(Date.UTC(year + 1, 0, 1, 0, -6)),
    new Date(Date.UTC(year + 1, 2, 1, 7)),
    new Date(Date.UTC(leapYear, 1, 29, 12)),
  ];
}

/** @param {string} text */
function dateOf(text) {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new StepFailed(`"${text}" is not a date. Try 2028-02-29T12:00Z.`);
  return date;
}

/**
 * @param {Date} date
 * @param {string[]} parts
 * @returns {Promise<boolean>} whether the tests passed
 */
async function testAt(date, parts) {
  const folder = mkdtempSync(join(tmpdir(), 'fanvas-date-'));
  const waits = join(folder, 'waits.so');
  const shift = Math.round((date.getTime() - Date.now()) / 1_000);
  const files = { [PRELOAD]: `${waits}\n${LIBRARY}`, [SHIFT]: `${shift < 0 ? '' : '+'}${shift}s` };
  const added = Object.keys(files).filter((target) => !existsSync(target));
  try {
    writeFileSync(join(folder, 'waits.c'), WAITS);
    const compiled = await run('cc', ['-shared', '-fPIC', '-o', waits, join(folder, 'waits.c')], { capture: true });
    if (compiled.code !== 0) throw new StepFailed(`The library of waits was not compiled:\n${compiled.output}`);
    // Postgres runs as another user when this one is root.
    chmodSync(folder, 0o755);
    const mounts = Object.entries(files).map(([target, text], index) => {
      const file = join(folder, String(index));
      writeFileSync(file, `${text}\n`);
      // A mount needs a file to cover. An empty one changes nothing outside the namespace.
      closeSync(openSync(target, 'a'));
      return `mount --bind '${file}' ${target}`;
    });
    const isShifted = `test "$(date -u +%F)" = ${date.toISOString().slice(0, 10)}`;
    const message = 'echo "The clock was not set. Unset FAKETIME, and remove ~/.faketimerc." >&2';
    const command = `${mounts.join(' && ')} && { ${isShifted} || { ${message}; exit 1; }; } && exec "$@"`;
    const test = [process.execPath, join(root, 'scripts', 'test.mjs'), '--keep-going', ...parts];
    const args = ['--mount', 'sh', '-c', command, 'sh', ...test];
    return (await run('unshare', args, { env: SETTINGS })).code === 0;
  } finally {
    for (const path of [folder, ...added]) rmSync(path, { recursive: true, force: true });
  }
}

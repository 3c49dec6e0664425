import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const SCHEDULE = /^ +@(?:Interval|Timeout|Cron)\(/m;
const STOPS = /\b(?:onModuleDestroy|beforeApplicationShutdown)\(/;

/** One statement an hour, without a run that could go on. */
const EXCEPT = ['src/platform/http/postgres-rate-limiter.ts'];

it('stops each class with a schedule before the connections close', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((file) => join('src', file));
  const scheduled = files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
    .filter(({ text }) => SCHEDULE.test(text));
  expect(scheduled.length).toBeGreaterThan(1);
  expect(scheduled.filter(({ text }) => !STOPS.test(text)).map(({ file }) => file)).toEqual(EXCEPT);
});

import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ClusterFolder } from './cluster.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fanvas-cluster-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['there is none', null, 60, false],
  ['it was made a minute ago', '', 60, true],
  ['it is new, so a server may still write into it', '', -60, false],
  ['it has content', '12\n', 60, false],
])('recognises the empty pid file of a crash by its size and age: %s', (_, content, seconds, expected) => {
  const cluster = new ClusterFolder(folder);
  mkdirSync(cluster.data, { recursive: true });
  if (content !== null) {
    const file = join(cluster.data, 'postmaster.pid');
    const madeAt = Date.now() / 1000 - seconds;
    writeFileSync(file, content);
    utimesSync(file, madeAt, madeAt);
  }
  expect(cluster.hasEmptyPidFile()).toBe(expected);
});

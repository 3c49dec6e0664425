import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, it } from '@jest/globals';
import { isPostmasterOf } from './postmaster.js';

it('takes a process for the server of the folder that it works in, and of no other', () => {
  // Elsewhere only its name counts.
  const isLinux = existsSync('/proc/self/stat');
  expect(isPostmasterOf(process.pid, process.cwd())).toBe(isLinux);
  expect(isPostmasterOf(process.pid, tmpdir())).toBe(false);
  const { pid } = spawnSync('true');
  expect(isPostmasterOf(pid, process.cwd())).toBe(false);
});

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createWholeFile, draftOf, replaceWholeFile } from './whole-files.js';

describe('whole files', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'whole-files-'));
    file = join(folder, 'in', 'key.pem');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('gives each writer of this process a draft of its own', () => {
    expect(draftOf(file)).not.toBe(draftOf(file));
  });

  it('creates a file for its owner once, and keeps the first content', () => {
    expect(createWholeFile(file, 'first')).toBe(true);
    expect(createWholeFile(file, 'second')).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe('first');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'in'))).toEqual(['key.pem']);
  });

  it('replaces a file, and leaves no draft', () => {
    replaceWholeFile(file, 'first');
    replaceWholeFile(file, 'second');
    expect(readFileSync(file, 'utf8')).toBe('second');
    expect(readdirSync(join(folder, 'in'))).toEqual(['key.pem']);
  });
});

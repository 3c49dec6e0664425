import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from './storage/missing-file.js';

/**
 * The name of a file while it is written. No other writer has it: processes in two containers that share a folder may
 * have the same process id.
 */
export function draftOf(file: string): string {
  return `${file}.partial-${randomUUID()}`;
}

/**
 * Creates a file that only its owner reads. Others see the whole content or no file, and a file that exists is kept.
 * @returns whether the file was created
 */
export function createWholeFile(file: string, content: string | Buffer): boolean {
  return throughDraft(file, content, 0o600, (draft) => {
    try {
      // Unlike a rename, a link never replaces a file.
      linkSync(draft, file);
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      return createWithoutLinks(file, content);
    }
  });
}

/** Some shared folders have no links. */
function createWithoutLinks(file: string, content: string | Buffer): boolean {
  try {
    writeFileSync(file, content, { mode: 0o600, flag: 'wx', flush: true });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Creates or replaces a file that all users may read. Others see the whole content of before or of now. */
export function replaceWholeFile(file: string, content: string | Buffer): void {
  throughDraft(file, content, 0o644, (draft) => renameSync(draft, file));
}

function throughDraft<T>(file: string, content: string | Buffer, mode: number, name: (draft: string) => T): T {
  mkdirSync(dirname(file), { recursive: true });
  const draft = draftOf(file);
  try {
    writeFileSync(draft, content, { mode, flag: 'wx', flush: true });
    return name(draft);
  } finally {
    rmSync(draft, { force: true });
  }
}

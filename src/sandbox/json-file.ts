import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { nullIfMissing } from '../platform/storage/missing-file.js';

/** Reads a JSON file; null when it does not exist. @throws SyntaxError when it is not JSON */
export async function readJson<T>(file: string): Promise<T | null> {
  const text = await readFile(file, 'utf8').catch(nullIfMissing);
  return text === null ? null : (JSON.parse(text) as T);
}

/** Reads a JSON file, or creates it with the given content. */
export async function readOrCreate<T>(file: string, create: () => T): Promise<T> {
  const stored = await readJson<T>(file);
  if (stored) return stored;
  const created = create();
  await writeJson(file, created);
  return created;
}

const writing = new Map<string, Promise<void>>();

/**
 * Replaces the file, see `replaceFile`. Writes to the same file run in order. The value is serialised before the call
 * returns.
 */
export async function writeJson(file: string, value: unknown): Promise<void> {
  const text = JSON.stringify(value, null, 1);
  const turn = (writing.get(file) ?? Promise.resolve()).then(() => replaceFile(file, text));
  const settled = turn.catch(() => undefined);
  writing.set(file, settled);
  try {
    await turn;
  } finally {
    if (writing.get(file) === settled) writing.delete(file);
  }
}

/** Replaces the file atomically: a killed process leaves the old or the new content. */
export async function replaceFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.new`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}

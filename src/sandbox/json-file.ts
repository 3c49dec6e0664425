import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The content of a JSON file, or null when it does not exist. @throws SyntaxError when it is not JSON */
export async function readJson<T>(file: string): Promise<T | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

const writing = new Map<string, Promise<void>>();

/** Replaces the file in one step: a crash leaves the old content or the new, never half. Writes to one file queue up. */
export async function writeJson(file: string, value: unknown): Promise<void> {
  const turn = (writing.get(file) ?? Promise.resolve()).then(() => replace(file, value));
  const settled = turn.catch(() => undefined);
  writing.set(file, settled);
  try {
    await turn;
  } finally {
    if (writing.get(file) === settled) writing.delete(file);
  }
}

async function replace(file: string, value: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.new`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(JSON.stringify(value, null, 1));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}

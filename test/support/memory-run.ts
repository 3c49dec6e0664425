import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface MemoryRun {
  /** Accounts in the cache, and their size as the cache estimates it. */
  readonly cached: { readonly accounts: number; readonly bytes: number };
  /** Measured growth of the heap. */
  readonly bytes: number;
  /** True when opening the first account again wrote nothing, because the account was still known. */
  readonly repeats: boolean;
}

/**
 * Touches many accounts in a separate process with a small heap (test/support/touch-accounts.ts).
 * @throws when it runs out of memory
 */
export async function touchAccounts(
  databaseUrl: string,
  run: { accounts: number; deductions?: number; heapMb: number; cacheBytes?: number },
): Promise<MemoryRun> {
  const { accounts, deductions = 0, heapMb, cacheBytes } = run;
  const child = spawn(process.execPath, [
    ...['--expose-gc', `--max-old-space-size=${heapMb}`, '--import', path.join(ROOT, 'scripts/lib/typescript.mjs')],
    ...[path.join(ROOT, 'test/support/touch-accounts.ts'), databaseUrl, String(accounts), String(deductions)],
    ...(cacheBytes === undefined ? [] : [String(cacheBytes)]),
  ]);
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code !== 0) throw new Error(`The process ended with ${signal ?? code}: ${err}`);
  return JSON.parse(out) as MemoryRun;
}

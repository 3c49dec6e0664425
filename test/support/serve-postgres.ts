import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/embedded/embedded-postgres.js';

/**
 * Runs an embedded Postgres for the parent process, in a temporary folder. Stops it and removes the folder when the
 * parent disconnects or ends, also by SIGKILL. The parent starts this process with `detached`: signals to the parent's
 * process group, such as Ctrl-C, must not end this process before its server.
 * @param prefix begins the name of the folder
 * @param prepare returns what the parent receives once the server is ready
 * @param template the folder of a stopped Postgres to copy; by default the server has an empty database
 */
export async function servePostgres(
  prefix: string,
  settings: Readonly<Record<string, string>>,
  prepare: (postgres: EmbeddedPostgres) => object | Promise<object>,
  template?: string,
): Promise<void> {
  const unneeded = new Promise<void>((resolve) => {
    process.once('disconnect', resolve);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
  const folder = mkdtempSync(path.join(tmpdir(), prefix));
  // The programs of another major version (`npm run test:postgres-versions`).
  const native = process.env['TEST_POSTGRES_NATIVE'];
  try {
    // Unlike `fs.cp` it keeps the owner, which may be the identity that Postgres runs under.
    if (template) execFileSync('cp', ['-a', template, path.join(folder, 'postgres')]);
    const postgres = await startEmbeddedPostgres({
      folder: path.join(folder, 'postgres'),
      database: 'fanvas',
      settings,
      ...(native ? { nativeFolder: native } : {}),
    });
    try {
      const ready = await prepare(postgres);
      if (process.connected) process.send?.(ready);
      await unneeded;
    } finally {
      await postgres.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    if (process.connected) process.disconnect();
  }
}

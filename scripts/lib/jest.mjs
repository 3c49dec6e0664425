import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, freemem } from 'node:os';
import { join } from 'node:path';
import { say } from './console.mjs';
import { whenNpmIsGone } from './parent.mjs';
import { bin, run } from './run.mjs';

/**
 * Options of Node in Jest and its workers. Tests make much short-lived garbage: with a large young generation, and
 * without threads that collect it, unit tests cost 9 % less processor time.
 */
const NODE_OPTIONS = ['--single-threaded-gc', '--min-semi-space-size=32', '--max-semi-space-size=32'];

/**
 * Runs the named Jest projects (see jest.config.mjs). Jest ends with this process, and this process with npm, also when
 * they are killed (`postgres-setup.mjs`).
 * @param {string[]} projects
 * @param {{ serial?: boolean, printAtEnd?: boolean, args?: string[], env?: Record<string, string> }} [options]
 * @returns {Promise<number>} Jest's exit code
 */
export async function runJest(projects, options = {}) {
  whenNpmIsGone(() => process.kill(process.pid, 'SIGTERM'));
  const workers = options.serial ? 1 : Math.min(availableParallelism(), 4);
  const folder = folderInMemory();
  try {
    const { code, output } = await run(
      process.execPath,
      [
        ...NODE_OPTIONS,
        bin('jest'),
        '--selectProjects',
        ...projects,
        `--maxWorkers=${workers}`,
        ...(options.args ?? []),
      ],
      {
        capture: options.printAtEnd ?? false,
        env: { JEST_PARENT: String(process.pid), ...(folder ? { TMPDIR: folder } : {}), ...options.env },
      },
    );
    if (output) say(output);
    return code;
  } finally {
    if (folder) rmSync(folder, { recursive: true, force: true });
  }
}

/** Linux keeps the files of this folder in memory. */
const IN_MEMORY = '/dev/shm';
const PREFIX = 'fanvas-tests-';
const NEEDED_BYTES = 8 * 2 ** 30;

/**
 * Makes the folder for temporary files of tests. Databases are created and dropped all the time; after many of these,
 * ext4 spends more processor time to find free inodes than Postgres does to copy the files.
 * @returns {string | null} null: the environment names another one, or it cannot be made in memory
 */
function folderInMemory() {
  if (process.env['TMPDIR']) return null;
  try {
    removeLeftovers();
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    if (Math.min(bavail * bsize, freemem()) < NEEDED_BYTES) return null;
    // Tests start programs there.
    if (/^\S+ \/dev\/shm .*\bnoexec\b/m.test(readFileSync('/proc/mounts', 'utf8'))) return null;
    const folder = mkdtempSync(join(IN_MEMORY, `${PREFIX}${process.pid}-`));
    // Postgres runs as another user when this one is root.
    chmodSync(folder, 0o1777);
    return folder;
  } catch {
    return null;
  }
}

/** Removes the folders of runs that were killed. Each name has the id of its process. */
function removeLeftovers() {
  for (const name of readdirSync(IN_MEMORY)) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : NaN;
    if (pid > 0 && !existsSync(`/proc/${pid}`)) rmSync(join(IN_MEMORY, name), { recursive: true, force: true });
  }
}

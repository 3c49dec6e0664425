import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';

/**
 * Whether this process id belongs to a running Postgres server on this data folder. The pid alone is no proof: another
 * process may have it by now, or it is a zombie that was never reaped (common in containers).
 */
export function isPostmasterOf(pid: number, dataFolder: string): boolean {
  if (!existsSync('/proc/self/stat')) return looksLikePostgres(pid);
  try {
    const state = /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
    if (state === 'Z' || state === 'X') return false;
    // The working directory of a server is its data folder.
    const workingFolder = statSync(`/proc/${pid}/cwd`);
    const data = statSync(dataFolder);
    return workingFolder.dev === data.dev && workingFolder.ino === data.ino;
  } catch {
    // The process has ended, or belongs to another user and so cannot be a server on this folder.
    return false;
  }
}

/** Without /proc (macOS): assumes that any running process named postgres is the server. */
function looksLikePostgres(pid: number): boolean {
  const run = spawnSync('ps', ['-o', 'stat=,command=', '-p', String(pid)], { encoding: 'utf8' });
  return run.status === 0 && !run.stdout.trim().startsWith('Z') && run.stdout.includes('postgres');
}

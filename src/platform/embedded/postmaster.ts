import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';

/**
 * Whether this process id belongs to a Postgres server that runs on this data folder now. A pid alone proves nothing: it may
 * have been given to a stranger since, or be a zombie that nobody reaps (usual in containers).
 */
export function isPostmasterOf(pid: number, dataFolder: string): boolean {
  if (!existsSync('/proc/self/stat')) return looksLikePostgres(pid);
  try {
    const state = /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
    if (state === 'Z' || state === 'X') return false;
    // A server works inside its data folder.
    const place = statSync(`/proc/${pid}/cwd`);
    const data = statSync(dataFolder);
    return place.dev === data.dev && place.ino === data.ino;
  } catch {
    // Gone, or of another user, whose process cannot be a server on a folder of ours.
    return false;
  }
}

/** Where there is no /proc (macOS): a living process that is a postgres is taken for ours. */
function looksLikePostgres(pid: number): boolean {
  const run = spawnSync('ps', ['-o', 'stat=,command=', '-p', String(pid)], { encoding: 'utf8' });
  return run.status === 0 && !run.stdout.trim().startsWith('Z') && run.stdout.includes('postgres');
}

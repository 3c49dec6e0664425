/**
 * Calls `onGone` when the npm process that started this one has ended. After a SIGKILL npm cannot pass a signal on, and
 * a remaining server would hold the port. package.json starts the long-running scripts with `exec`, so that npm is the
 * direct parent and passes SIGINT and SIGTERM on. Without npm no process is watched: a server in the background of a
 * shell outlives the shell.
 * @param {() => void} onGone
 */
export function whenNpmIsGone(onGone) {
  if (process.env['npm_lifecycle_event']) whenParentIsGone(onGone);
}

/**
 * Calls `onGone` when the process that started this one has ended.
 * @param {() => void} onGone
 */
export function whenParentIsGone(onGone) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, 500);
  timer.unref();
}

/**
 * Calls `onGone` once npm, which started this process, is gone: killed by SIGKILL it cannot pass on that it was meant
 * to end, and a server left behind would hold the port. package.json starts the long-running scripts with `exec`, so
 * that npm is the direct parent and SIGINT and SIGTERM come through. Without npm nothing is watched: a server put into
 * the background of a shell outlives it.
 * @param {() => void} onGone
 */
export function whenNpmIsGone(onGone) {
  if (!process.env['npm_lifecycle_event']) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, 500);
  timer.unref();
}

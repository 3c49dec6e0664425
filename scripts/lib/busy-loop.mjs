/** Keeps one processor busy for nine tenths of the time until the parent process has ended. */
const BUSY_MS = 45;
/** The process that encodes pictures works only while no other one wants a processor (`picture-encoder.ts`). */
const PAUSE_MS = 5;

process.on('disconnect', () => process.exit(0));

function spin() {
  const end = Date.now() + BUSY_MS;
  while (Date.now() < end);
  setTimeout(spin, PAUSE_MS);
}
spin();

/** Keeps one processor busy until the parent process has ended. */
process.on('disconnect', () => process.exit(0));

function spin() {
  const end = Date.now() + 50;
  while (Date.now() < end);
  setTimeout(spin);
}
spin();

/**
 * Output of the scripts: plain lines of progress, and one clear message on failure.
 */

/** A failed step that the user can act on. Only its message is printed, without a stack. */
export class StepFailed extends Error {}

/**
 * Prints a line of progress.
 * @param {string} line
 */
export function say(line) {
  process.stdout.write(`${line}\n`);
}

/**
 * Runs a script's body. A {@link StepFailed} ends the process with its message and code 1; any other error is a bug in
 * the scripts and keeps its stack.
 * @param {() => Promise<void>} body
 */
export async function runScript(body) {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    process.stderr.write(`\n${error.message}\n`);
    process.exitCode = 1;
  }
}

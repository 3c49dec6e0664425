/**
 * What the scripts say, and how they end: plain lines, and one clear sentence where something failed.
 */

/** A step that failed for a reason a person can act on. Its message is the whole report: no stack is shown. */
export class StepFailed extends Error {}

/**
 * Prints a line of progress.
 * @param {string} line
 */
export function say(line) {
  process.stdout.write(`${line}\n`);
}

/**
 * Runs a script's body. A {@link StepFailed} ends the process with its sentence and code 1; anything else is a bug in
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

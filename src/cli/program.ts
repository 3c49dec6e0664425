import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Command, CommanderError } from 'commander';
import { type Clock, SystemClock } from '../platform/clock.js';
import { type Config } from '../platform/config/config.js';
import { loadConfig } from '../platform/config/load-config.js';
import { EventStoreUnavailableError, StreamDeletedError } from '../platform/event-store/event-store.js';
import { OperatorMistake } from '../platform/operator-mistake.js';
import { note } from './output.js';

/** Time that interrupted work has to end, in milliseconds. */
const UNWIND_MS = 3_000;

/** A wrong argument. Exit code 2; the message is a sentence. */
export class UsageError extends Error {}

/** Errors whose message is a sentence for the user. For other errors, the stack is printed. */
const EXPECTED_ERRORS: (new (...args: never[]) => Error)[] = [
  UsageError,
  OperatorMistake,
  EventStoreUnavailableError,
  StreamDeletedError,
];

export interface VerbContext {
  readonly config: Config;
  readonly clock: Clock;
}

/** Runs the work of a verb. The work returns true when it found no problem; this decides the exit code. */
export type RunVerb = (work: (context: VerbContext) => Promise<boolean>) => Promise<void>;

/** Adds a verb to a program: declares its arguments and options, and runs its work in the action. */
export type AddVerb = (program: Command, run: RunVerb) => void;

const cleanups: (() => Promise<void>)[] = [];
let cleaning: Promise<void> | null = null;
let interrupted = false;

/** Registers a cleanup. Cleanups run at the end, the last one first, also when the program is interrupted. */
export function atEnd(cleanup: () => Promise<void>): void {
  cleanups.push(cleanup);
}

/** True when the user has interrupted the program. */
export function isInterrupted(): boolean {
  return interrupted;
}

/** The verbs of a program, and what it prints about them. */
export interface ProgramOptions {
  /** The command of a checkout. The image has a shorter one, which it passes on as COMMAND_LINE. */
  readonly name: string;
  readonly verbs: readonly AddVerb[];
  /** Printed below the list of verbs. */
  readonly remarks: string;
  /** Further errors of which only the message is printed, without the stack. */
  readonly expectedErrors?: (new (...args: never[]) => Error)[];
}

/** Runs a program of verbs as this process: with its arguments, its signals and the code of {@link runArguments}. */
export function runProgram(options: ProgramOptions): void {
  // Nest's logger writes to stdout, which holds the result only. Errors go to stderr.
  Logger.overrideLogger(['error', 'fatal']);
  const running = runArguments(options, process.argv.slice(2), process.env);
  process.on('SIGINT', () => endEarly(130, running));
  process.on('SIGTERM', () => endEarly(143, running));
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader of stdout, such as `head`, has ended.
    if (error.code !== 'EPIPE') throw error;
    if (!interrupted) endEarly(1, running);
  });
  void running.then((code) => {
    if (!interrupted) process.exitCode = code;
  });
}

/**
 * Runs one verb, and all cleanups. Returns the exit code: 0 success, 1 a problem or an error, 2 wrong arguments; an
 * interrupted process ends with 130 or 143 instead.
 */
export async function runArguments(
  options: ProgramOptions,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  let succeeded = false;
  const program = new Command(env['COMMAND_LINE'] ?? options.name)
    .exitOverride()
    .configureHelp({ showGlobalOptions: false })
    .addHelpText('after', `\n${options.remarks}`);
  const runVerb: RunVerb = async (work) => {
    succeeded = await work({ config: loadConfig(env, process.cwd()), clock: new SystemClock() });
  };
  for (const addVerb of options.verbs) addVerb(program, runVerb);
  try {
    try {
      await program.parseAsync(args, { from: 'user' });
    } finally {
      await cleanUp();
    }
  } catch (error) {
    // After an interruption the closed database makes the work fail.
    return interrupted ? 1 : report(error, options.expectedErrors ?? []);
  }
  return succeeded ? 0 : 1;
}

/** Prints an error and returns the exit code. Commander has printed its own errors. */
function report(error: unknown, expectedErrors: readonly (new (...args: never[]) => Error)[]): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const isExpected = [...EXPECTED_ERRORS, ...expectedErrors].some((kind) => error instanceof kind);
  note(isExpected && error instanceof Error ? error.message : String((error as Error).stack));
  return error instanceof UsageError ? 2 : 1;
}

/** Runs the cleanups once. A caller that comes meanwhile waits for the same run. */
function cleanUp(): Promise<void> {
  cleaning ??= (async () => {
    for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await cleanup();
  })().finally(() => (cleaning = null));
  return cleaning;
}

/**
 * Ends the program early. It still runs the cleanups, because a database server that this process started must stop
 * with it. The running work then fails without its database and removes its unfinished output.
 */
function endEarly(code: number, running: Promise<unknown>): void {
  // A second signal ends the process at once.
  if (interrupted) process.exit(code);
  interrupted = true;
  const cleaned = cleanUp().catch((error: unknown) => {
    note(`The cleanup failed: ${(error as Error).message}`);
  });
  const unwound = cleaned.then(() => Promise.race([running.catch(() => undefined), delay(UNWIND_MS)]));
  void unwound.then(() => process.exit(code));
}

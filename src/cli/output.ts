import { resolve } from 'node:path';
import { type LedgerProblem } from '../audit/index.js';

/** Interval of progress lines, in milliseconds. */
const PROGRESS_MS = 2_000;

/** Prints a line of the result to stdout. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a line for the user to stderr. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** A number with thousands separators. */
export function count(number: number): string {
  return number.toLocaleString('en');
}

/** Resolves a file argument against the caller's folder. npm changes into the package's folder. */
export function resolveFile(file: string): string {
  return resolve(process.env['INIT_CWD'] ?? process.cwd(), file);
}

/** Prints the formatted progress to stderr, at most every two seconds. */
export function progress<SoFar>(format: (soFar: SoFar, seconds: number) => string): (soFar: SoFar) => void {
  const started = performance.now();
  let last = started;
  return (soFar) => {
    const now = performance.now();
    if (now - last < PROGRESS_MS) return;
    last = now;
    note(format(soFar, (now - started) / 1000));
  };
}

/** Formats the progress of a pass over accounts, with its rate. `verb` is a past participle such as `Verified`. */
export function formatPace(verb: string): (soFar: { accounts: number; events: number }, seconds: number) => string {
  return ({ accounts, events }, seconds) =>
    `${verb} ${count(accounts)} accounts, ${count(events)} events (${count(Math.round(events / seconds))} events a second).`;
}

/** Formats the size of a seal or an export. */
export function formatCoverage({
  streams,
  events,
  acts,
}: {
  readonly streams: number;
  readonly events: number;
  /** The last entry of the log of acts; absent in older seals. */
  readonly acts?: { readonly number: number };
}): string {
  return `${count(streams)} streams, ${count(events)} events${acts ? `, ${count(acts.number)} acts` : ''}`;
}

export function formatProblemCount(number: number): string {
  return number === 1 ? '1 problem found.' : `${count(number)} problems found.`;
}

/** Prints problems as they are found, and counts them. */
export class ProblemPrinter {
  count = 0;

  /** @param target `stderr` for verbs whose stdout holds another result */
  constructor(private readonly target: 'stdout' | 'stderr' | 'json') {}

  readonly add = (problem: LedgerProblem): void => {
    this.count += 1;
    if (this.target === 'json') say(JSON.stringify({ problem }));
    else (this.target === 'stdout' ? say : note)(formatProblem(problem));
  };

  /** A problem of a seal, which belongs to no stream. */
  readonly addSeal = (description: string): void =>
    this.add({ stream: '*', version: null, kind: 'seal', what: description });

  summary(): string {
    return formatProblemCount(this.count);
  }
}

function formatProblem({ stream, version, kind, what: description }: LedgerProblem): string {
  return `${stream}${version === null ? '' : ` @ ${version}`}: ${kind}: ${description}`;
}

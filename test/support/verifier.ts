import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withEventVersions } from '../../web/verifier-versions.js';

const SOURCE = fileURLToPath(new URL('../../web/public/ledger/verify-fanvas.mjs', import.meta.url));
/** The independent verifier, as the build serves it. */
export const VERIFIER = join(mkdtempSync(join(tmpdir(), 'fanvas-verifier-')), 'verify-fanvas.mjs');
writeFileSync(VERIFIER, withEventVersions(readFileSync(SOURCE, 'utf8')));
process.once('exit', () => rmSync(dirname(VERIFIER), { recursive: true }));

type Complain = (sentence: string) => void;

/** The parts of the verifier that tests call. It has no types of its own. */
export interface Verifier {
  readonly fetchBytes: (address: string, wait: (seconds: number) => Promise<void>) => Promise<Uint8Array>;
  readonly splitLines: (chunks: Iterable<string>) => AsyncIterable<string>;
  readonly verifyExport: (
    input: {
      readonly lines: () => AsyncIterable<string>;
      readonly keys: readonly string[];
      readonly log: {
        readonly checkpoint: string;
        readonly kept: readonly string[];
        readonly read: (name: string) => Promise<Uint8Array>;
      } | null;
      readonly allowNewer?: boolean;
      readonly allowLater?: boolean;
    },
    complain: Complain,
  ) => Promise<{
    /** Events of the log that came after the export. */
    readonly later: number;
    readonly until: number;
    readonly creators: readonly VerifiedCreator[];
    readonly trialBalance: readonly VerifiedBalance[];
    readonly creatorShare: VerifiedParts | null;
  }>;
  readonly verifyStatement: (
    input: { readonly text: string; readonly keys: readonly string[]; readonly rotations?: string },
    complain: Complain,
  ) => Promise<{
    /** Epoch milliseconds. */
    readonly at: number;
    readonly balance: Readonly<Record<string, number>>;
  } | null>;
  /** A stream of which only the chain is checked. */
  readonly Stream: new (stream: string, complain: Complain) => VerifiedStream;
  readonly Earnings: new (stream: string, complain: Complain) => VerifiedStream;
  readonly Processor: new (stream: string, complain: Complain) => VerifiedStream;
  readonly Payouts: new (stream: string, complain: Complain) => VerifiedStream;
  readonly Account: new (stream: string, complain: Complain, cumulativeFrom?: number | null) => VerifiedAccount;
  readonly Books: new (
    until: number,
    rule?: 1 | 2,
  ) => {
    readonly creators: ReadonlyMap<string, VerifiedCreator>;
    add(lines: readonly VerifiedLine[], at: number): void;
    trialBalance(): VerifiedBalance[];
  };
}

/** A line of the books. */
export interface VerifiedLine {
  readonly account: number;
  /** A debit is above zero. */
  readonly cents: number;
  /** Signed like cents. */
  readonly credits?: number;
  readonly creatorId?: string;
  /** Epoch milliseconds. */
  readonly payableAt?: number;
}

/** A line of the trial balance. */
export interface VerifiedBalance {
  readonly account: number;
  readonly name: string;
  /** A debit is above zero. Null: unknown. */
  readonly cents: number | null;
}

/** The parts of account 2100. */
export interface VerifiedParts {
  readonly pendingCents: number;
  readonly payableCents: number;
  readonly debtCents: number;
}

/** Cents that a creator has earned, and that payouts have taken. */
export interface VerifiedCreator {
  readonly creatorId: string;
  readonly cents: number;
  readonly payableCents: number;
  readonly payoutCents: number;
  readonly months: Readonly<Record<string, number>>;
}

interface VerifiedStream {
  /** Time of the last event, epoch milliseconds. */
  readonly at: number;
  /** False once an event could not be read. */
  readonly readable: boolean;
  add(event: object): Promise<VerifiedLine[]>;
  end(): void;
}

interface VerifiedAccount extends VerifiedStream {
  balance(at: number): { readonly total: number; readonly open: number; readonly owed: number };
}

/** Loads the verifier as a browser would. */
export async function loadVerifier(): Promise<Verifier> {
  return (await import(VERIFIER)) as Verifier;
}

/** Runs the verifier with Node alone. */
export function runVerifier(...words: readonly string[]): ReturnType<typeof runVerifierAs> {
  return runVerifierAs(VERIFIER, ...words);
}

/** The same under another name. @param file a copy, or a link */
export function runVerifierAs(
  file: string,
  ...words: readonly string[]
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...words], { maxBuffer: 1e8 }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

/** The exit code and the messages of a verification. */
export interface Judgement {
  readonly code: number;
  readonly err: string;
}

/** Verifies in this process: a second process for each of many cases takes too long. */
async function judge(verify: (complain: Complain) => Promise<unknown>): Promise<Judgement> {
  const complaints: string[] = [];
  let code = 0;
  try {
    await verify((sentence) => complaints.push(sentence));
  } catch (error) {
    complaints.push(String((error as Error).message));
    code = 2;
  }
  return { code: code || Math.min(1, complaints.length), err: complaints.map((sentence) => `${sentence}\n`).join('') };
}

/** @param log a folder with a checkpoint and its entries */
export async function judgeExport(
  file: string,
  {
    key,
    log,
    kept = [],
    allowNewer = false,
  }: {
    readonly key: string;
    readonly log: string;
    readonly kept?: readonly string[];
    readonly allowNewer?: boolean;
  },
): Promise<Judgement> {
  const { splitLines, verifyExport } = await loadVerifier();
  const lines = (): AsyncIterable<string> => splitLines([readFileSync(file, 'utf8')]);
  const copy = {
    checkpoint: readFileSync(join(log, 'checkpoint'), 'utf8'),
    read: (name: string) => readFile(join(log, name)),
    kept,
  };
  return judge((complain) => verifyExport({ lines, keys: [key], log: copy, allowNewer }, complain));
}

/** @param text a statement */
export async function judgeStatement(text: string, key: string): Promise<Judgement> {
  const { verifyStatement } = await loadVerifier();
  return judge((complain) => verifyStatement({ text, keys: [key] }, complain));
}

/// <reference lib="webworker" />
import type {
  Verdict,
  VerifiedBalance,
  VerifiedParts,
  VerifiedSums,
  VerifierMessage,
  VerifyRequest,
} from './verifier-messages.js';

/** The parts of `verify-fanvas.mjs` that are used here. The file itself is served as it is, for all people to read. */
interface Verifier {
  readonly fetchBytes: (address: string) => Promise<Uint8Array>;
  readonly splitLines: (chunks: AsyncIterable<string>) => AsyncIterable<string>;
  readonly verifyExport: (
    input: {
      readonly lines: () => AsyncIterable<string>;
      readonly keys: readonly string[];
      readonly rotations: string;
      readonly log: { readonly checkpoint: string; readonly read: (name: string) => Promise<Uint8Array> } | null;
      readonly allowNewer: boolean;
      readonly allowLater: boolean;
    },
    complain: (sentence: string) => void,
  ) => Promise<{
    readonly events: number;
    readonly streams: number;
    readonly newer: number;
    readonly later: number;
    readonly until: number;
    readonly accounts: readonly { readonly total: number }[];
    readonly creators: readonly { readonly creatorId: string; readonly cents: number; readonly payableCents: number }[];
    readonly trialBalance: readonly VerifiedBalance[];
    readonly creatorShare: VerifiedParts | null;
  }>;
  readonly verifyStatement: (
    input: { readonly text: string; readonly keys: readonly string[]; readonly rotations: string },
    complain: (sentence: string) => void,
  ) => Promise<{
    readonly stream: string;
    readonly events: number;
    readonly at: number;
    readonly balance: Readonly<Record<string, number>>;
    readonly checkpoint: { readonly size: number };
  } | null>;
}

const VERIFIER = '/ledger/verify-fanvas.mjs';
const PROBLEMS_SHOWN = 50;
/** An export is read twice. */
const READS_OF_EXPORT = 2;

const worker = self as unknown as DedicatedWorkerGlobalScope;
const send = (message: VerifierMessage): void => worker.postMessage(message);

worker.onmessage = ({ data }: MessageEvent<VerifyRequest>): void => {
  void verify(data).then((verdict) => send({ kind: 'verdict', verdict }));
};

async function verify(request: VerifyRequest): Promise<Verdict> {
  const problems: string[] = [];
  let problemCount = 0;
  const complain = (sentence: string): void => {
    problemCount += 1;
    if (problems.length < PROBLEMS_SHOWN) problems.push(sentence);
  };
  let sums: VerifiedSums | null = null;
  try {
    const verifier = (await import(/* @vite-ignore */ VERIFIER)) as Verifier;
    sums = await (request.kind === 'export'
      ? exportSums(verifier, request, complain)
      : statementSums(verifier, request, complain));
  } catch (error) {
    complain(sentenceOf(error));
  }
  return { problems, problemCount, sums };
}

async function exportSums(
  { splitLines, verifyExport, fetchBytes }: Verifier,
  { file, keys, rotations, checkpoint, log }: VerifyRequest,
  complain: (sentence: string) => void,
): Promise<VerifiedSums> {
  let read = 0;
  const onBytes = (bytes: number): void => {
    read += bytes;
    send({ kind: 'progress', done: Math.min(1, read / (file.size * READS_OF_EXPORT)) });
  };
  const found = await verifyExport(
    {
      lines: () => splitLines(textOf(file, onBytes)),
      keys,
      rotations,
      allowNewer: true,
      allowLater: true,
      log: checkpoint === null ? null : { checkpoint, read: (name) => fetchBytes(`${log}/${name}`) },
    },
    complain,
  );
  const { events, streams, newer, later, until, accounts, creators, trialBalance, creatorShare } = found;
  const credits = accounts.reduce((sum, { total }) => sum + total, 0);
  const cents = creators.map(({ creatorId, cents: earned, payableCents }) => {
    return { creatorId, cents: earned, payableCents };
  });
  const compared = { newer: checkpoint === null ? null : newer, later };
  const counts = { events, streams, ...compared, until, accounts: accounts.length, credits };
  return { kind: 'export', ...counts, creators: cents, trialBalance, creatorShare };
}

async function statementSums(
  { verifyStatement }: Verifier,
  { file, keys, rotations }: VerifyRequest,
  complain: (sentence: string) => void,
): Promise<VerifiedSums | null> {
  const found = await verifyStatement({ text: await file.text(), keys, rotations }, complain);
  if (found === null) return null;
  const { stream, events, at, balance, checkpoint } = found;
  return { kind: 'statement', stream, events, at, balance, covered: checkpoint.size };
}

async function* textOf(file: Blob, onBytes: (bytes: number) => void): AsyncGenerator<string> {
  const reader = file.stream().getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    onBytes(part.value.byteLength);
    yield decoder.decode(part.value, { stream: true });
  }
  yield decoder.decode();
}

/**
 * The verifier throws an Error with a sentence for a file that it cannot read; that is a verdict. An error of the
 * browser has another name, and its text is not shown.
 */
function sentenceOf(error: unknown): string {
  // oxlint-disable-next-line syntax/no-message-of-an-error -- a sentence of the verifier
  return error instanceof Error && error.name === 'Error' ? error.message : 'The file or the log could not be read.';
}

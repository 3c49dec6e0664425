import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The independent verifier, which the site serves. */
const VERIFIER = fileURLToPath(new URL('../../web/public/ledger/verify-fanvas.mjs', import.meta.url));

/** An event as the verifier has read it. */
interface ReadEvent {
  readonly type: string;
  readonly data: object;
  readonly version: number;
  readonly at: number;
}

/** The parts of the verifier that tests call. It has no types of its own. */
export interface Verifier {
  readonly Account: new (
    stream: string,
    complain: (sentence: string) => void,
  ) => {
    add(event: object): Promise<ReadEvent | null>;
    /** Checks the chain alone. */
    follow(event: object): Promise<number>;
    end(): void;
    balance(at: number): { readonly total: number; readonly open: number; readonly owed: number };
  };
  readonly Revenue: new (cumulativeFrom: number | null) => {
    add(event: ReadEvent): {
      readonly creatorId: string;
      readonly credits: number;
      readonly creator: number;
      readonly platform: number;
      readonly at: number;
      readonly payableAt: number;
    }[];
  };
}

/** Loads the verifier as a browser would. */
export async function loadVerifier(): Promise<Verifier> {
  return (await import(VERIFIER)) as Verifier;
}

/** Runs the verifier with Node alone. */
export function runVerifier(
  ...words: readonly string[]
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [VERIFIER, ...words], { maxBuffer: 1e8 }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

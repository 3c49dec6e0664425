import { useEffect, useRef, useState } from 'react';
import { readTrust } from './read-trust.js';
import { runVerifier } from './run-verifier.js';
import type { Verdict } from './verifier-messages.js';
import { problemOf } from '../../../lib/problem-of.js';

/** A verified file. */
export interface Verified {
  readonly name: string;
  readonly verdict: Verdict;
  readonly byOwnKey: boolean;
}

type VerifierState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; /** From 0 to 1. */ readonly done: number }
  | { readonly kind: 'ended'; readonly verified: Verified }
  | { readonly kind: 'failed'; readonly reason: string };

/** Verifies one file at a time. Leaving the page ends it. */
export function useVerifier() {
  const running = useRef<AbortController | null>(null);
  const [state, setState] = useState<VerifierState>({ kind: 'idle' });
  useEffect(() => () => running.current?.abort(), []);

  /** @param ownKey PEM or the key of the log; empty to use the published ones */
  const verify = async (file: File, ownKey: string): Promise<void> => {
    if (running.current) return;
    const controller = new AbortController();
    running.current = controller;
    setState({ kind: 'running', done: 0 });
    try {
      const { pem, logKey, rotations, checkpoint } = await readTrust(controller.signal);
      const kind = await kindOf(file);
      const published = kind === 'export' ? pem : logKey;
      const verdict = await runVerifier(
        { file, kind, keys: [ownKey === '' ? published : ownKey], rotations, checkpoint, log: '/ledger' },
        (done) => setState({ kind: 'running', done }),
        controller.signal,
      );
      setState({ kind: 'ended', verified: { name: file.name, verdict, byOwnKey: ownKey !== '' } });
    } catch (error) {
      if (controller.signal.aborted) setState({ kind: 'idle' });
      else if (error instanceof Error) setState({ kind: 'failed', reason: problemOf(error) });
      else throw error;
    } finally {
      running.current = null;
    }
  };
  return { state, verify, cancel: () => running.current?.abort() };
}

/** A statement says so in its first line. */
async function kindOf(file: Blob): Promise<'export' | 'statement'> {
  const beginning = await file.slice(0, 200).text();
  return beginning.startsWith('{"statement":') ? 'statement' : 'export';
}

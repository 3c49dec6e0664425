import { useEffect, useRef, useState } from 'react';
import { ApiError, rpc } from '../../../lib/api.js';
import { saveFile } from '../../../lib/download.js';
import { problemOf } from '../../../lib/problem-of.js';

/** Events of a page: the most that the server gives. */
const PAGE_SIZE = 1000;

type ExportState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly lines: number }
  | { readonly kind: 'done'; readonly lines: number; readonly name: string; readonly missing: readonly string[] }
  | { readonly kind: 'failed'; readonly reason: string };

interface LedgerExport {
  readonly state: ExportState;
  /** Does nothing while an export runs. */
  readonly start: () => Promise<void>;
  readonly cancel: () => void;
}

/** Waits, or ends early when `signal` aborts. */
function wait(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, seconds * 1000);
    signal.addEventListener('abort', end);
  });
}

/** Reads all pages of the export and saves them as one file. Waits where the rate limit asks for it. */
export function useExport(): LedgerExport {
  const running = useRef<AbortController | null>(null);
  const [state, setState] = useState<ExportState>({ kind: 'idle' });
  useEffect(() => () => running.current?.abort(), []);

  const start = async (): Promise<void> => {
    if (running.current) return;
    const controller = new AbortController();
    running.current = controller;
    try {
      setState({ kind: 'running', lines: 0 });
      const { lines, parts, missing } = await readAll(controller.signal, (soFar) =>
        setState({ kind: 'running', lines: soFar }),
      );
      const name = `fanvas-ledger-${new Date().toISOString().slice(0, 10)}.ndjson`;
      saveFile({ blob: new Blob(parts, { type: 'application/x-ndjson' }), name });
      setState({ kind: 'done', lines, name, missing });
    } catch (error) {
      if (controller.signal.aborted) setState({ kind: 'idle' });
      else if (error instanceof ApiError) setState({ kind: 'failed', reason: problemOf(error) });
      else throw error;
    } finally {
      running.current = null;
    }
  };
  return { state, start, cancel: () => running.current?.abort() };
}

async function readAll(signal: AbortSignal, onProgress: (lines: number) => void) {
  const parts: string[] = [];
  const missing: string[] = [];
  let lines = 0;
  let cursor: string | null = null;
  do {
    signal.throwIfAborted();
    const page = await readPage(cursor, signal);
    parts.push(page.lines.map((line) => `${line}\n`).join(''));
    missing.push(...page.missing_accounts);
    lines += page.lines.length;
    onProgress(lines);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return { lines, parts, missing };
}

async function readPage(cursor: string | null, signal: AbortSignal) {
  for (;;) {
    try {
      const request = { p_limit: PAGE_SIZE, ...(cursor === null ? {} : { p_cursor: cursor }) };
      return await rpc('export_ledger_events', request, { signal });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429 || error.retryAfter === null) throw error;
      await wait(error.retryAfter, signal);
      signal.throwIfAborted();
    }
  }
}

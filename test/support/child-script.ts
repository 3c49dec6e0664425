import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface ChildScript {
  readonly process: ChildProcess;
  /** Returns the next line that it prints. Throws with its output when it ends before. */
  line(): Promise<string>;
  /** Resolves when it has ended. */
  readonly ended: Promise<unknown>;
}

/** Runs a script as a process of its own, which may be killed. It imports `../../src/...`, as tests do. */
export function runScript(script: string, ...args: string[]): ChildScript {
  const artifacts = path.join(ROOT, 'test', '.artifacts');
  mkdirSync(artifacts, { recursive: true });
  const file = path.join(artifacts, `script-${randomUUID()}.ts`);
  writeFileSync(file, script);
  const typescript = ['--import', path.join(ROOT, 'scripts', 'lib', 'typescript.mjs')];
  const child = spawn(process.execPath, [...typescript, file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const lines = createInterface({ input: child.stdout });
  const queue: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  lines.on('line', (line) => {
    const next = waiting.shift();
    if (next) next(line);
    else queue.push(line);
  });
  const ended = once(child, 'close').finally(() => rmSync(file));
  return {
    process: child,
    ended,
    line: () => {
      const ready = queue.shift();
      if (ready !== undefined) return Promise.resolve(ready);
      const line = new Promise<string>((resolve) => waiting.push(resolve));
      const early = ended.then(() => {
        throw new Error(`The script ended before its next line: ${output.join('')}`);
      });
      return Promise.race([line, early]);
    },
  };
}

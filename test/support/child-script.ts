import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Options, transformFileSync } from '@swc/core';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Compiled copies of folders of `src`, for scripts that run as processes of their own and may be killed. */
export interface ChildScripts {
  /** Runs a script (an ES module; it imports `./src/...`) with these arguments. */
  run(script: string, ...args: string[]): ChildScript;
  /** Removes the copies. Running scripts continue. */
  remove(): void;
}

export interface ChildScript {
  readonly process: ChildProcess;
  /** Returns the next line that it prints. Throws with its output when it ends before. */
  line(): Promise<string>;
  /** Resolves when it has ended. */
  readonly ended: Promise<unknown>;
}

/** Compiles these folders of `src` (without specs) into a folder that resolves the project's `node_modules`. */
export function compileForChild(...folders: string[]): ChildScripts {
  const {
    exclude: _specs,
    $schema: _schema,
    ...swc
  } = JSON.parse(readFileSync(path.join(ROOT, '.swcrc'), 'utf8')) as Options & {
    $schema?: string;
  };
  const artifacts = path.join(ROOT, 'test', '.artifacts');
  mkdirSync(artifacts, { recursive: true });
  const home = mkdtempSync(path.join(artifacts, 'child-'));
  for (const folder of folders) {
    for (const name of readdirSync(path.join(ROOT, folder)).filter((file) => /^(?!.*\.spec\.ts$).*\.ts$/.test(file))) {
      const { code } = transformFileSync(path.join(ROOT, folder, name), { ...swc, swcrc: false, sourceMaps: 'inline' });
      mkdirSync(path.join(home, folder), { recursive: true });
      writeFileSync(path.join(home, folder, name.replace(/\.ts$/, '.js')), code);
    }
  }
  let scripts = 0;
  return {
    run: (script, ...args) => {
      const file = path.join(home, `script-${(scripts += 1)}.mjs`);
      writeFileSync(file, script);
      return start(file, args);
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

function start(file: string, args: string[]): ChildScript {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
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
  const ended = once(child, 'close');
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

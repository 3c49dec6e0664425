import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Runs a command to its end. @throws an error with its output when it fails */
export async function command(name: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { code, output } = await attempt(name, args, options);
  if (code === 0) return output;
  throw new Error(`${name} ${args.join(' ')} ended with ${code}:\n${output.slice(-4_000)}`);
}

/** Runs a command to its end, whether it fails or not. */
export async function attempt(
  name: string,
  args: readonly string[],
  { folder, env = {}, input = '' }: RunOptions = {},
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn('sh', ['-c', 'exec "$@" 2>&1', 'sh', name, ...args], {
    ...(folder === undefined ? {} : { cwd: folder }),
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(input);
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit') as Promise<[number | null]>]);
  return { code, output };
}

interface RunOptions {
  /** Where the command runs; by default where this process does. */
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Its standard input. */
  readonly input?: string;
}

/** Requests to an address, one after the other on some connections, until `end` is called. */
export class SteadyRequests {
  answered = 0;
  failed = 0;
  /** Each kind of failure once. */
  readonly failures = new Set<string>();
  /** Longest time from a request to its answer, in milliseconds. */
  slowestMs = 0;
  private ending = false;
  private readonly loops: Promise<void>[];

  constructor(url: string, paths: readonly string[]) {
    this.loops = paths.map((path) => this.ask(new URL(path, url)));
  }

  async end(): Promise<void> {
    this.ending = true;
    await Promise.all(this.loops);
  }

  private async ask(url: URL): Promise<void> {
    while (!this.ending) {
      const begin = performance.now();
      try {
        const response = await fetch(url, { signal: AbortSignal.timeout(20_000) });
        await response.arrayBuffer();
        if (response.status >= 400) this.fail(`${url.pathname} answered ${response.status}`);
      } catch (error) {
        this.fail(`${url.pathname}: ${String((error as Error).cause ?? error)}`);
      }
      this.answered += 1;
      this.slowestMs = Math.max(this.slowestMs, performance.now() - begin);
    }
  }

  private fail(reason: string): void {
    this.failed += 1;
    this.failures.add(reason);
  }
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface CommandLineResult {
  readonly code: number | null;
  /** Both streams. */
  readonly output: string;
}

/** Runs a command line of the built server, such as `ledger`. @param settings environment of the program */
export async function runCommandLine(
  name: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<CommandLineResult> {
  const file = fileURLToPath(new URL(`../../dist/server/cli/${name}.js`, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/** Runs `npm run ledger` next to the app that uses the data folder. */
export function runLedger(
  app: { readonly dataDir: string; readonly port: number; readonly env?: Readonly<Record<string, string>> },
  ...args: string[]
): Promise<CommandLineResult> {
  // The port is that of the app, whose sandboxes `reconcile` asks.
  return runCommandLine('ledger', args, { DATA_DIR: app.dataDir, PORT: String(app.port), ...app.env });
}

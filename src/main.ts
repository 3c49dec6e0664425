import { startFanvas, type RunningApp } from './composition/compose.js';
import { printedError } from './platform/operator-mistake.js';
import { loadConfig } from './platform/config/load-config.js';
import { requireFreePort } from './platform/http/free-port.js';
import { createLogger, PinoLoggerService } from './platform/logging/logger.js';

/** How long a graceful stop may take before the process ends anyway, in milliseconds. */
const STOP_TIMEOUT_MS = 10_000;

/** Signals closer together than this are one, in milliseconds. */
const SAME_SIGNAL_MS = 500;

/** In production the lines of a start and of a stop are JSON like all others. People read them elsewhere. */
const productionLog = process.env['NODE_ENV'] === 'production' ? new PinoLoggerService(createLogger('info')) : null;

async function main(): Promise<void> {
  const config = loadConfig(process.env, process.cwd());
  await requireFreePort(config.host, config.port);
  const stopping = stopOnSignal();
  const demo = { drawn: showDrawing, remembered: showPast, waiting: showWaiting };
  const app = await startFanvas(config, { progress: say, past: demo, onDatabaseLost: end });
  stopping.app = app;
  await app.sandboxes?.seedDemo(app.context, demo).catch((error: unknown) => {
    // The app serves without the demo, and its next start continues there.
    if (!stopping.signalled) console.error(`The demo could not be completed: ${firstLineOf(error)}`);
  });
  if (!stopping.signalled) say(`Fanvas is ready: ${app.url}`);
}

function say(line: string): void {
  if (productionLog) productionLog.log(line, 'Start');
  else process.stdout.write(`${line}\n`);
}

function complain(error: unknown): void {
  if (productionLog) productionLog.fatal(error, 'Start');
  else console.error(error);
}

function showDrawing(done: number, total: number): void {
  count('Drawing the demo galleries', done, total, 8);
}

function showPast(done: number, total: number): void {
  count("Making the demo's past", done, total, 60);
}

/** A line that counts on in place on a terminal; elsewhere one line for every `each` images. */
function count(label: string, done: number, total: number, each: number): void {
  const line = `${label}… ${done} of ${total}`;
  if (process.stdout.isTTY) process.stdout.write(`\r${line}${done === total ? '\n' : ''}`);
  else if (done % each === 0 || done === total) say(line);
}

function showWaiting(reason: string): void {
  say(`The demo galleries wait: ${reason}`);
}

function firstLineOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}

/** Ctrl-C and SIGTERM end the app in order; a second signal ends it at once. */
function stopOnSignal(): { app?: RunningApp; signalled?: true } {
  const started: { app?: RunningApp; signalled?: true } = {};
  let signalledAt: number | undefined;
  const onSignal = (): void => {
    // npm passes on the Ctrl-C that the terminal has delivered already: that is still the first one.
    if (signalledAt !== undefined && Date.now() - signalledAt < SAME_SIGNAL_MS) return;
    if (signalledAt !== undefined || !started.app) process.exit(130);
    signalledAt = Date.now();
    started.signalled = true;
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    started.app.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        complain(error);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return started;
}

/** Ends the process. Prints one sentence for a mistake of the operator, otherwise the stack. */
function end(error: unknown): never {
  complain(printedError(error));
  process.exit(1);
}

main().catch(end);

/**
 * `npm run bench`: measures the speed targets of the product. Each is a ratio to plain single-row INSERTs of the same
 * run on the same machine (or to another unit that the row names); pages use the browser's own metrics.
 * test/bench/README.md describes how to add a benchmark.
 *
 *   npm run bench                          all of test/bench/*.bench.ts
 *   npm run bench -- credits projections   files whose name contains one of these
 *   npm run bench -- --write               writes the tables into docs/benchmarks.md as well
 *   npm run bench -- --quick               only checks that they run; the figures mean nothing
 */
import './lib/node-version.mjs';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { runScript, say, StepFailed } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { whenNpmIsGone } from './lib/parent.mjs';
import { root, run } from './lib/run.mjs';

const folder = join(root, 'test', 'bench');
const document = join(root, 'docs', 'benchmarks.md');
/** The Node options with which `npm start` runs the server. */
const SERVER_OPTIONS = ['--max-semi-space-size=64'];
/** Benchmarks of command lines, which run without them. */
const COMMAND_LINES = new Set(['verify']);
const typescript = ['--import', new URL('./lib/typescript.mjs', import.meta.url).href, '--enable-source-maps'];

/** @typedef {import('../test/bench/bench.js').Result} Result */

whenNpmIsGone(() => process.kill(process.pid, 'SIGTERM'));
await runScript(async () => {
  const args = process.argv.slice(2);
  const quick = args.includes('--quick');
  const write = args.includes('--write');
  const unknown = args.find((arg) => arg.startsWith('--') && arg !== '--quick' && arg !== '--write');
  if (unknown) throw new StepFailed(`There is no option ${unknown}. The options are --write and --quick.`);
  const names = args.filter((arg) => !arg.startsWith('--'));
  const all = readdirSync(folder)
    .filter((file) => file.endsWith('.bench.ts'))
    .map((file) => file.slice(0, -'.bench.ts'.length));
  const missing = names.find((name) => !all.some((one) => one.includes(name)));
  if (missing) throw new StepFailed(`There is no benchmark "${missing}". There are ${all.join(', ')}.`);
  const chosen = names.length === 0 ? all : all.filter((one) => names.some((name) => one.includes(name)));
  if (quick && write) throw new StepFailed('What --quick measures is not worth writing down.');
  await ensureDependencies();

  const postgres = await startPostgres();
  try {
    const facts = await machineFacts(postgres.url);
    say(facts);
    /** @type {(name: string, results: Result[]) => void} */
    const show = (name, results) => {
      const table = markdownTable(results);
      say(`\n${name}\n${table}`);
      if (write) writeSection(name, `${table}\n\n${facts}`);
    };
    // One process saves the loading of the product for each: the figures of --quick mean nothing.
    if (quick) await measure(chosen, postgres.url, show, { quick });
    else for (const name of chosen) await measure([name], postgres.url, show);
  } finally {
    await postgres.stop();
  }
});

/** Starts an embedded Postgres for this run. It ends with this process, also when that is killed. */
async function startPostgres() {
  const child = fork(join(folder, 'postgres-process.ts'), [], { execArgv: typescript, cwd: root, detached: true });
  const failed = once(child, 'exit').then(() => {
    throw new StepFailed('The embedded Postgres for the benchmarks did not start; its message stands above.');
  });
  const [{ url }] = /** @type {[{ url: string }]} */ (await Promise.race([once(child, 'message'), failed]));
  failed.catch(() => undefined); // it has started; that it ends one day is no failure
  return {
    url,
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/**
 * Runs benchmark files one after the other in a process, each in a database of its own.
 * @param {string[]} names
 * @param {string} serverUrl
 * @param {(name: string, results: Result[]) => void} show is called when a file has ended
 * @param {{ quick?: boolean }} [options]
 */
async function measure(names, serverUrl, show, { quick = false } = {}) {
  /** @type {[string, string][]} */
  const runs = [];
  for (const name of names) {
    const url = new URL(serverUrl);
    url.pathname = `/bench_${name.replace(/\W/g, '_')}`;
    await query(serverUrl, `create database ${pg.escapeIdentifier(url.pathname.slice(1))}`);
    runs.push([name, url.href]);
  }
  const env = { ...process.env, BENCH_RUNS: JSON.stringify(runs), BENCH_QUICK: quick ? '1' : '' };
  const execArgv = [...(names.every((name) => COMMAND_LINES.has(name)) ? [] : SERVER_OPTIONS), ...typescript];
  const child = fork(join(folder, 'run.ts'), [], { execArgv, cwd: root, env });
  /** @type {Result[]} */
  let results = [];
  child.on('message', (/** @type {Result | { ended: string }} */ message) => {
    if (!('ended' in message)) {
      if (!quick) say(`${message.name}: ${(message.ratio ?? message.measured).toFixed(2)}`);
      results.push(message);
      return;
    }
    show(message.ended, results);
    results = [];
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new StepFailed('A benchmark failed; its message stands above.');
  for (const [, url] of runs) {
    await query(serverUrl, `drop database ${pg.escapeIdentifier(new URL(url).pathname.slice(1))} with (force)`);
  }
}

/** @param {Result[]} results */
function markdownTable(results) {
  const rows = [
    ['What', 'Measured', 'Against', 'Ratio', 'Target', 'Met'],
    ...results.map(({ name, measured, unit, base, baseMeasured, ratio, target, met }) => [
      name,
      `${figure(measured)} ${unit}`.trim(),
      base === undefined || baseMeasured === undefined ? '' : `${base}: ${figure(baseMeasured)}`,
      ratio?.toFixed(2) ?? '',
      `${'atLeast' in target ? `at least ${target.atLeast}` : `at most ${target.atMost}`}${ratio === undefined && unit ? ` ${unit}` : ''}`,
      met ? 'yes' : '**no**',
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
  lines.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  return lines.join('\n');
}

/** @param {number} value */
function figure(value) {
  if (value === 0) return '0';
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value.toPrecision(3);
}

/** @param {string} url */
async function machineFacts(url) {
  const { rows } = await query(url, `select current_setting('server_version') as version`);
  const head = await run('git', ['rev-parse', '--short', 'HEAD'], { capture: true });
  const changed = await run('git', ['status', '--porcelain', '--', 'src', 'test/bench'], { capture: true });
  const commit = head.code === 0 ? head.output.trim() : 'unknown';
  const model = cpus()[0]?.model.trim();
  const machine = `${availableParallelism()} cores${model && model !== 'unknown' ? ` (${model})` : ''}`;
  const software = `Node ${process.versions.node}, Postgres ${rows[0].version}`;
  const date = new Date().toISOString().slice(0, 10);
  return `${machine}, ${software}, ${date}, commit ${commit}${changed.output.trim() ? ' with changes' : ''}.`;
}

/**
 * @param {string} url
 * @param {string} text
 */
async function query(url, text) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

/**
 * Replaces the table between the markers of its benchmark; text around them stays.
 * @param {string} name
 * @param {string} text
 */
function writeSection(name, text) {
  const begin = `<!-- measured: ${name} -->`;
  const end = `<!-- end: ${name} -->`;
  const section = `${begin}\n\n${text}\n\n${end}`;
  const before = existsSync(document) ? readFileSync(document, 'utf8') : '# Benchmarks\n';
  const from = before.indexOf(begin);
  const to = before.indexOf(end);
  const after =
    from === -1 || to === -1
      ? `${before.trimEnd()}\n\n## ${name}\n\n${section}\n`
      : before.slice(0, from) + section + before.slice(to + end.length);
  writeFileSync(document, after);
}

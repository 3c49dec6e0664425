import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { say, StepFailed } from './console.mjs';
import { root, run, runBin } from './run.mjs';

/**
 * @typedef {object} Target
 * @property {string} label as shown to people
 * @property {string[]} inputs files and folders whose content decides whether to build again
 * @property {RegExp} ignored input files that do not count
 * @property {string} output a file that a finished build has written
 * @property {string} stamp where the fingerprint of the last finished build is kept
 * @property {() => void} clean removes what an earlier build left
 * @property {() => ReturnType<typeof runBin>} build
 */

const dist = join(root, 'dist');
/** Matches the web app's imports from the server: the contract, and rules that both sides share. */
const fromServer = /['"](?:\.\.\/)+(src\/[^'"]+)\.js['"]/g;
/** Matches imports of those files from their own folder. */
const fromOwnFolder = /['"]\.\/([^'"]+)\.js['"]/g;
/** A build that a test starts would inherit the test's environment, and with it React's development code. */
const PRODUCTION = { NODE_ENV: 'production' };

/** Arguments of `vite` that build the web app for the server. */
export const PAGES_BUILD = ['build', 'web', '--ssr', 'src/app/server-entry.tsx', '--logLevel', 'warn'];
const tests = /\.spec\.tsx?$/;

/** Arguments of Node that bundle the server. */
export const SERVER_BUILD = [join(root, 'scripts/lib/server-bundle.mjs'), join(dist, 'server')];

/** @param {string[]} flags of `server-bundle.mjs` */
const bundleServer = (...flags) =>
  run(process.execPath, [...SERVER_BUILD, ...flags], {
    capture: true,
    env: { ...PRODUCTION, NO_COLOR: '1' },
  });

/**
 * The server with its command lines, its threads and the sandboxes.
 * @type {Target}
 */
const server = {
  label: 'server',
  inputs: ['src', '.swcrc', 'scripts/lib/server-bundle.mjs', 'package.json', 'package-lock.json'],
  ignored: tests,
  output: join(dist, 'server', 'main.js'),
  stamp: join(dist, '.stamps', 'server'),
  clean() {
    rmSync(join(dist, 'server'), { recursive: true, force: true });
  },
  build: () => bundleServer(),
};

/** @type {Target} */
const productionServer = {
  ...server,
  label: 'server without sandboxes',
  ignored: /\.spec\.tsx?$|[\\/]src[\\/]sandbox[\\/]/,
  build: () => bundleServer('--production'),
};

/**
 * JSON Schemas of the types in src/contract: the server describes its API with them, and tests validate answers.
 * @type {Target}
 */
const contract = {
  label: 'API schemas',
  inputs: ['src/contract', 'scripts/lib/contract-schemas.mjs', 'package-lock.json'],
  ignored: tests,
  output: join(dist, 'contract-schemas.json'),
  stamp: join(dist, '.stamps', 'contract'),
  clean() {
    rmSync(contract.output, { force: true });
  },
  build: () =>
    run(process.execPath, [join(root, 'scripts/lib/contract-schemas.mjs'), contract.output], { capture: true }),
};

/** @type {Target} */
const web = {
  label: 'web app',
  inputs: ['web', 'package-lock.json'],
  ignored: tests,
  output: join(dist, 'web', 'index.html'),
  stamp: join(dist, '.stamps', 'web'),
  clean() {
    rmSync(join(dist, 'web'), { recursive: true, force: true });
  },
  build: () => runBin('vite', ['build', 'web', '--logLevel', 'warn'], { capture: true, env: PRODUCTION }),
};

/**
 * The web app for the server, which draws the public pages with it: one module with its chunks, and without packages.
 * @type {Target}
 */
const pages = {
  label: 'pages of the server',
  inputs: ['web', 'package-lock.json'],
  ignored: tests,
  output: join(dist, 'web-server', 'server-entry.js'),
  stamp: join(dist, '.stamps', 'web-server'),
  clean() {
    rmSync(join(dist, 'web-server'), { recursive: true, force: true });
  },
  build: () => runBin('vite', PAGES_BUILD, { capture: true, env: PRODUCTION }),
};

/** @param {string} path */
function filesBelow(path) {
  if (!existsSync(path)) return [];
  /** @type {string[]} */
  const files = [];
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) files.push(...filesBelow(join(path, entry.name)));
    else if (entry.isFile()) files.push(join(path, entry.name));
  }
  return files;
}

/**
 * Computes a fingerprint of names and contents. A fresh checkout or a touched file does not change it; an edit of the
 * same length within the same second does.
 * @param {Target} target
 */
function fingerprint(target) {
  const hash = createHash('sha256').update(`${process.version} ${target.label}`);
  const files = target.inputs.flatMap((input) => {
    const path = join(root, input);
    return /\.\w+$/.test(input) ? [path].filter(existsSync) : filesBelow(path);
  });
  /** @type {Set<string>} */
  const shared = new Set();
  /** @param {string} file */
  const add = (file) => {
    const content = readFileSync(file);
    hash.update(`\n${relative(root, file)} ${content.length}\n`).update(content);
    if ((target !== web && target !== pages) || !/\.tsx?$/.test(file)) return;
    if (shared.has(file))
      for (const [, path] of content.toString('utf8').matchAll(fromOwnFolder))
        shared.add(join(dirname(file), `${path}.ts`));
    for (const [, path] of content.toString('utf8').matchAll(fromServer)) shared.add(join(root, `${path}.ts`));
  };
  for (const file of files.sort()) if (!target.ignored.test(file)) add(file);
  for (const file of shared) if (existsSync(file)) add(file);
  return hash.digest('hex');
}

/**
 * @param {Target} target
 * @param {string} print
 */
function isBuilt(target, print) {
  return existsSync(target.output) && existsSync(target.stamp) && readFileSync(target.stamp, 'utf8') === print;
}

/** @param {Target} target */
async function build(target) {
  const print = fingerprint(target);
  if (isBuilt(target, print)) return;

  say(`Building the ${target.label}…`);
  rmSync(target.stamp, { force: true });
  target.clean();
  const { code, output } = await target.build();
  if (code !== 0 || !existsSync(target.output)) {
    throw new StepFailed(
      `${output.trim()}\n\nThe ${target.label} could not be built: see the compiler's messages above.`,
    );
  }
  mkdirSync(dirname(target.stamp), { recursive: true });
  writeFileSync(target.stamp, print);
}

/**
 * Builds the server, the API schemas and the web app for browser and server, each only if its sources changed since
 * its last finished build.
 * @param {{ production?: boolean }} [options] `production` builds the server without the sandboxes
 * @throws {StepFailed} with the compiler's messages
 */
export async function ensureBuilt({ production = false } = {}) {
  await ensureServerBuilt({ production });
  await build(web);
  await build(pages);
}

/**
 * Builds what the integration suites need: the server for its threads, and the API schemas.
 * @param {{ production?: boolean }} [options]
 * @throws {StepFailed} with the compiler's messages
 */
export async function ensureServerBuilt({ production = false } = {}) {
  await Promise.all([build(production ? productionServer : server), ensureContractBuilt()]);
}

/**
 * Builds the API schemas.
 * @returns {Promise<string>} the path of their file
 * @throws {StepFailed} with the compiler's messages
 */
export async function ensureContractBuilt() {
  await build(contract);
  return contract.output;
}

/** Makes the next {@link ensureBuilt} build everything, because watch mode may leave any state behind. */
export function forgetBuilds() {
  for (const target of [server, web, pages]) rmSync(target.stamp, { force: true });
}

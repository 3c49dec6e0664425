import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { installPackages } from './debian-packages.mjs';
import { StepFailed } from './console.mjs';
import { run } from './run.mjs';

const ENGINE = '/usr/sbin/dockerd';
const START_MS = 60_000;

/**
 * Starts a container engine with its own images and volumes, so that it cannot touch those of this machine. Changes no
 * firewall and no route. As root, it installs Debian's `docker.io`, `docker-compose` and `debootstrap`.
 * @param {string} folder where images and volumes are kept
 * @returns {Promise<{ host: string, stop: () => Promise<void> }>} `host` is the value of DOCKER_HOST
 * @throws {StepFailed} when it does not start
 */
export async function startEngine(folder) {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') {
    throw new StepFailed('The image is tested on Linux and as root, which an engine of its own needs.');
  }
  if (![ENGINE, '/usr/bin/docker-compose', '/usr/sbin/debootstrap'].every((file) => existsSync(file))) {
    await installPackages('docker.io', 'docker-compose', 'debootstrap');
  }
  mkdirSync(folder, { recursive: true });
  const host = `unix://${join(folder, 'docker.sock')}`;
  const log = join(folder, 'dockerd.log');
  const file = openSync(log, 'w');
  const engine = spawn(
    ENGINE,
    [
      ...[`--host=${host}`, `--data-root=${join(folder, 'data')}`, `--exec-root=${join(folder, 'exec')}`],
      ...[`--pidfile=${join(folder, 'docker.pid')}`, '--bridge=none'],
      ...['--iptables=false', '--ip6tables=false', '--ip-forward=false'],
    ],
    { stdio: ['ignore', file, file] },
  );
  // An engine that could not be spawned has no pid, which is reported below.
  const ended = once(engine, 'exit').catch(() => undefined);
  const stop = async () => {
    engine.kill();
    await ended;
  };
  const end = Date.now() + START_MS;
  while ((await run('docker', ['info'], { capture: true, env: { DOCKER_HOST: host } })).code !== 0) {
    if (engine.exitCode !== null || engine.pid === undefined || Date.now() > end) {
      await stop();
      throw new StepFailed(`The container engine did not start:\n${readFileSync(log, 'utf8').slice(-2_000)}`);
    }
    await delay(500);
  }
  return { host, stop };
}

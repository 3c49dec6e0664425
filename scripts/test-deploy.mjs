/**
 * `npm run test:deploy`: runs the commands of docs/deploy.md on an empty machine of Debian, a container that boots
 * systemd, and then uses the installation. Before each release, on Linux and as root. It installs the last commit of
 * this checkout, and shares engine and base with `npm run test:image` (IMAGE_TEST_DIR).
 *
 *   npm run test:deploy -- --keep    leaves the machine, which the next run replaces
 */
import './lib/node-version.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { needPackages } from './lib/debian-packages.mjs';
import { runScript, say, StepFailed } from './lib/console.mjs';
import { startEngine } from './lib/container-engine.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { bin, root, run } from './lib/run.mjs';
import { CERTIFICATES, commandsFor, ensureDebian } from './lib/substitute-images.mjs';

const NETWORK = '/usr/bin/slirp4netns';
const MACHINE = 'fanvas-machine';
const CABLE = 'fanvas-machine-network';
/** Rights of a machine that systemd needs. No device of this one is among them. */
const RIGHTS = [
  ...['SYS_ADMIN', 'NET_ADMIN', 'SYS_PTRACE'].map((name) => `--cap-add=${name}`),
  ...['seccomp', 'apparmor', 'systempaths'].map((name) => `--security-opt=${name}=unconfined`),
  '--cgroupns=private',
];

await runScript(async () => {
  await ensureDependencies();
  const folder = process.env['IMAGE_TEST_DIR'] ?? '/var/tmp/fanvas-image-test';
  const engine = await startEngine(join(folder, 'engine'));
  const env = { DOCKER_HOST: engine.host };
  const { step } = commandsFor(engine.host);
  const removeMachine = () => run('docker', ['rm', '--force', '--volumes', MACHINE, CABLE], { capture: true, env });
  try {
    await needPackages(NETWORK, 'slirp4netns');
    await ensureDebian('trixie', folder, engine.host);
    const files = join(folder, 'machine');
    rmSync(files, { recursive: true, force: true });
    mkdirSync(files, { recursive: true });
    cpSync(join(root, 'test/deploy'), files, { recursive: true });
    cpSync(CERTIFICATES, join(files, 'ca-certificates.crt'), { dereference: true });
    say('Making an empty machine…');
    // The registries of packages are reached by this machine's own network.
    await step(
      'docker',
      'build',
      '--network=host',
      `--file=${join(files, 'machine.Dockerfile')}`,
      '--tag=fanvas-machine',
      files,
    );

    await step('git', 'clone', '--quiet', '--bare', '--no-hardlinks', root, join(files, 'fanvas.git'));

    await removeMachine();
    // The network outlives a restart of the machine.
    const network = ['--network=none', '--sysctl=net.ipv6.conf.all.disable_ipv6=0', `--name=${CABLE}`];
    await step('docker', 'run', '--detach', ...network, 'fanvas-machine', 'sleep', 'infinity');
    const pid = (await step('docker', 'inspect', '--format={{.State.Pid}}', CABLE)).trim();
    const cable = spawn(NETWORK, ['--configure', '--mtu=65520', '--disable-host-loopback', pid, 'eth0'], {
      stdio: 'ignore',
    });
    try {
      const mounts = [
        `--volume=${join(files, 'fanvas.git')}:/fanvas.git`,
        `--volume=${join(files, 'resolv.conf')}:/etc/resolv.conf:ro`,
      ];
      const options = [`--network=container:${CABLE}`, `--name=${MACHINE}`];
      await step('docker', 'run', '--detach', ...RIGHTS, ...options, ...mounts, 'fanvas-machine');
      // The suite is in the network of the machine, so that its `localhost` is that of the machine.
      const jest = [
        `--net=/proc/${pid}/ns/net`,
        process.execPath,
        bin('jest'),
        '--selectProjects',
        'deploy',
        '--runInBand',
      ];
      // The certificate is made on the machine, whose own programs verify it.
      const suite = { ...env, MACHINE, REPOSITORY: join(files, 'fanvas.git'), NODE_TLS_REJECT_UNAUTHORIZED: '0' };
      if ((await run('nsenter', jest, { env: suite })).code !== 0) throw new StepFailed('Failed: docs/deploy.md.');
    } finally {
      const ended = once(cable, 'exit');
      if (cable.kill()) await ended;
    }
  } finally {
    if (!process.argv.includes('--keep')) await removeMachine();
    await engine.stop();
  }
});

/**
 * `npm run test:image`: builds the image, runs it by docker-compose.yml and goes through an upgrade of an installation,
 * a killed process, an update, a backup and its restore. Before each release, on Linux and as root; it downloads
 * no image (substitute-images.mjs), and keeps its own in IMAGE_TEST_DIR (/var/tmp/fanvas-image-test).
 *
 *   npm run test:image -- --keep    leaves the containers and volumes of the run in that folder
 */
import './lib/node-version.mjs';
import { join } from 'node:path';
import { ensureBuilt } from './lib/build.mjs';
import { runScript, say, StepFailed } from './lib/console.mjs';
import { startEngine } from './lib/container-engine.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { runJest } from './lib/jest.mjs';
import { root } from './lib/run.mjs';
import { commandsFor, ensureSubstitutes } from './lib/substitute-images.mjs';

await runScript(async () => {
  await ensureDependencies();
  // The sandboxes run outside of the image.
  await ensureBuilt();
  const folder = process.env['IMAGE_TEST_DIR'] ?? '/var/tmp/fanvas-image-test';
  const engine = await startEngine(join(folder, 'engine'));
  try {
    const { compose2 } = await ensureSubstitutes(folder, engine.host);
    say('Building the images…');
    const env = { DOCKER_HOST: engine.host };
    const { step } = commandsFor(engine.host);
    await step('docker', 'build', '--network=host', '--tag=fanvas', root);
    await step('docker', 'build', '--network=host', '--tag=fanvas-s3', join(root, 'deploy/swift'));
    const failed = await runJest(['image'], {
      serial: true,
      env: { ...env, COMPOSE_2: compose2, ...(process.argv.includes('--keep') ? { KEEP_CONTAINERS: '1' } : {}) },
    });
    // Those of today make the next build faster.
    await step('docker', 'image', 'prune', '--force', '--filter=until=24h');
    if (failed !== 0) throw new StepFailed('Failed: tests of the image.');
  } finally {
    await engine.stop();
  }
});

import { CommandBus } from '@nestjs/cqrs';
import { startFanvas } from '../../src/compose.js';
import { AddApprovedCreator } from '../../src/creators/index.js';
import { loadConfig } from '../../src/platform/config/load-config.js';

/**
 * Runs the app on the benchmark's database, with one creator, until the parent process disconnects. The parent sets the
 * environment, and gets the creator's id.
 */
const app = await startFanvas(loadConfig(process.env, process.cwd()));
process.once('disconnect', () => void app.stop());
const { creatorId } = await app.context.get(CommandBus, { strict: false }).execute(
  new AddApprovedCreator({
    ...{ clerkId: 'user_creator', name: 'Aria Vale', email: 'aria@example.com', instagram: '@aria.vale', bio: '' },
    ...{ twitter: null, onlyfans: null, style: null, profile: null, deploymentName: 'fanvas/aria-vale' },
  }),
);
process.send?.(creatorId);

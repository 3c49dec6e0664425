import { CommandBus } from '@nestjs/cqrs';
import { startFanvas } from '../../src/composition/compose.js';
import { AddApprovedCreator } from '../../src/creators/index.js';
import { AddBlockedTerm } from '../../src/creators/use-cases/add-blocked-term.js';
import { loadConfig } from '../../src/platform/config/load-config.js';

/**
 * Runs the app on the benchmark's database, with one creator, until the parent process disconnects. The creator blocks
 * words that begin like many places of a prompt. The parent sets the environment, and gets the creator's id.
 */
const app = await startFanvas(loadConfig(process.env, process.cwd()));
process.once('disconnect', () => void app.stop());
const commands = app.context.get(CommandBus, { strict: false });
const { creatorId } = await commands.execute(
  new AddApprovedCreator({
    clerkId: 'user_creator',
    name: 'Aria Vale',
    email: 'aria@example.com',
    instagram: '@aria.vale',
    bio: '',
    twitter: null,
    onlyfans: null,
    style: null,
    profile: null,
    deploymentName: 'fanvas/aria-vale',
  }),
);
const words = process.env['BENCH_QUICK'] === '1' ? 2 : 100;
for (let index = 0; index < words; index += 1) {
  await commands.execute(new AddBlockedTerm({ userId: 'user_creator', term: `${'ab'.repeat(15)}q${index}` }));
}
process.send?.(creatorId);

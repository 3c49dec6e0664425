import { CommandBus } from '@nestjs/cqrs';
import { startFanvas } from '../../src/composition/compose.js';
import { AddApprovedCreator } from '../../src/creators/index.js';
import { AddBlockedTerm } from '../../src/creators/use-cases/add-blocked-term.js';
import { loadConfig } from '../../src/platform/config/load-config.js';

/**
 * Starts the app with one creator. The creator blocks words that begin like many places of a prompt.
 * @param settings those of the environment
 * @param words how many
 */
export async function startHostileApp(
  settings: NodeJS.ProcessEnv,
  words: number,
): Promise<{ readonly creatorId: string; readonly stop: () => Promise<void> }> {
  const app = await startFanvas(loadConfig(settings, process.cwd()));
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
  for (let index = 0; index < words; index += 1) {
    await commands.execute(new AddBlockedTerm({ userId: 'user_creator', term: `${'ab'.repeat(15)}q${index}` }));
  }
  return { creatorId, stop: () => app.stop() };
}

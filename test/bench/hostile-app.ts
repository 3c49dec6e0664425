import { CommandBus } from '@nestjs/cqrs';
import { startFanvas } from '../../src/composition/compose.js';
import { AddBlockedTerm } from '../../src/creators/use-cases/add-blocked-term.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { addingCreator } from '../support/adding-creator.js';

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
  const { creatorId } = await commands.execute(addingCreator('aria', { clerkId: 'user_creator' }));
  for (let index = 0; index < words; index += 1) {
    await commands.execute(new AddBlockedTerm({ userId: 'user_creator', term: `${'ab'.repeat(15)}q${index}` }));
  }
  return { creatorId, stop: () => app.stop() };
}

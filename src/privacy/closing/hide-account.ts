import { type CommandBus } from '@nestjs/cqrs';
import { CloseCreator } from '../../creators/index.js';
import { CloseOwner } from '../../generation/index.js';
import { CloseBuyer } from '../../payments/index.js';

/**
 * Hides everything of an account: images and their files, checkouts, the page and portrait of a creator. Returns the id
 * of the creator that the user is; null for fans.
 */
export async function hideAccount(commands: CommandBus, userId: string): Promise<string | null> {
  await commands.execute(new CloseOwner({ userId }));
  await commands.execute(new CloseBuyer({ userId }));
  return commands.execute(new CloseCreator({ userId }));
}

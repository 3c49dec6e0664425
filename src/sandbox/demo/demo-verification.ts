import { type INestApplicationContext } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { RequestVerification } from '../../audit/index.js';
import { type ClerkSandbox } from '../clerk/index.js';

/** Requests the first full verification, as the demo's auditor. It runs in the background. */
export async function verifyDemo(context: INestApplicationContext, clerk: ClerkSandbox): Promise<void> {
  const { userId } = await clerk.ensureUser({ email: 'auditor@fanvas.test', password: '' });
  await context.get(CommandBus).execute(new RequestVerification(userId, true));
}

import { type INestApplicationContext } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type Pool } from 'pg';
import { RequestVerification, runsBefore } from '../../audit/index.js';
import { PG_POOL } from '../../platform/database/database.js';
import { type ClerkSandbox } from '../clerk/index.js';

/** Requests the first full verification, as the demo's auditor. It runs in the background. */
export async function verifyDemo(context: INestApplicationContext, clerk: ClerkSandbox): Promise<void> {
  const runs = await runsBefore(context.get<Pool>(PG_POOL), null, 1);
  if (runs.length > 0) return;
  const { userId } = await clerk.ensureUser({ email: 'auditor@fanvas.test', password: '' });
  await context.get(CommandBus).execute(new RequestVerification(userId));
}

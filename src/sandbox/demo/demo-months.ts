import { setTimeout as pause } from 'node:timers/promises';
import { type INestApplicationContext } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  CloseBookMonth,
  GetMonthClosing,
  ListRevenueMonths,
  MonthCloser,
  ProcessorReader,
} from '../../finance/index.js';
import { ProjectionRunner } from '../../platform/projections/projection-runner.js';
import { type ClerkSandbox } from '../clerk/index.js';
import { demoActor } from './demo-accounts.js';

const RETRY_MS = 500;
/** The public log has the past within seconds. Without it, the next start continues (milliseconds). */
const WAIT_MS = 60_000;

/**
 * Closes the months of the demo's past, as its finance person, once the public log has them. The last month that had
 * ended stays open. The balance at the processor is read before, so that its fees are in their months.
 * @param until the present that the past was made for, ISO 8601
 */
export async function closeDemoMonths(
  context: INestApplicationContext,
  clerk: ClerkSandbox,
  until: string,
): Promise<void> {
  const queries = context.get(QueryBus);
  const commands = context.get(CommandBus);
  const present = new Date(until);
  const lastEnded = new Date(Date.UTC(present.getUTCFullYear(), present.getUTCMonth() - 1, 1))
    .toISOString()
    .slice(0, 7);
  const next = async (): Promise<string | null> => {
    const { next_to_close: month } = await queries.execute(new ListRevenueMonths({ limit: 1, before: null }));
    return month !== null && month < lastEnded ? month : null;
  };
  if ((await next()) === null) return;
  await context.get(ProcessorReader, { strict: false }).tick();
  await context.get(ProjectionRunner, { strict: false }).catchUp();
  const by = await demoActor(clerk, 'finance');
  const deadline = performance.now() + WAIT_MS;
  for (let month = await next(); month !== null; month = await next()) {
    const { figures, obstacle } = await queries.execute(new GetMonthClosing());
    if (obstacle === null) {
      await commands.execute(new CloseBookMonth({ month, figures, by }));
      await context.get(MonthCloser, { strict: false }).tick();
      if ((await next()) !== month) continue;
    }
    if (performance.now() > deadline) throw new Error(obstacle ?? `${month} of the demo could not be closed.`);
    await pause(RETRY_MS);
  }
}

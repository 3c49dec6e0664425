import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import { Scheduled, ScheduledWorker } from './scheduled-worker.js';

abstract class Counter extends ScheduledWorker {
  runs = 0;
  protected override readonly failure = 'It failed.';

  protected override work(): Promise<void> {
    this.runs += 1;
    return Promise.resolve();
  }
}

@Injectable()
@Scheduled('early', 3_600_000, { fromStart: true })
class Early extends Counter {}

@Injectable()
@Scheduled('late', 50)
class Late extends Counter {}

class Workers {}

it('runs each worker on the schedule of its own class, from the start only with that option', async () => {
  const module = { module: Workers, imports: [ScheduleModule.forRoot()], providers: [Early, Late] };
  const context = await NestFactory.createApplicationContext(module, { logger: false });
  try {
    expect(context.get(SchedulerRegistry).getIntervals().sort()).toEqual(['early', 'late']);
    expect(context.get(Late).runs).toBe(0);
    await delay(500);
    expect(context.get(Early).runs).toBe(1);
    expect(context.get(Late).runs).toBeGreaterThan(1);
  } finally {
    await context.close();
  }
});

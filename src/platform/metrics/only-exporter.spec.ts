import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type Pool } from 'pg';
import { Locks } from '../locks.js';
import { Metrics } from './metrics.js';
import { OnlyExporter } from './only-exporter.js';

beforeEach(() => void Logger.overrideLogger(false));
afterEach(() => void Logger.overrideLogger(['log', 'error', 'warn']));

describe('OnlyExporter', () => {
  it.each([
    ['does not answer', () => new Promise(() => undefined)],
    ['is down', () => Promise.reject(new Error('no connection'))],
  ])('shows the metrics of the process alone when the database %s', async (_state, connect) => {
    const metrics = new Metrics();
    metrics.exportSharedAs(new OnlyExporter(new Locks({ connect } as unknown as Pool), 20));
    const collect = jest.fn<() => void>();
    metrics.gauge({ name: 'fanvas_own', help: 'Of the process.' }).set(1);
    metrics.gauge({ name: 'fanvas_rows', help: 'Of the database.', shared: true, collect });
    const { body } = await metrics.text();
    expect(body).toContain('fanvas_own 1');
    expect(body).not.toContain('fanvas_rows');
    expect(collect).not.toHaveBeenCalled();
  });
});

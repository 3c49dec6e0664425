import { describe, expect, it } from '@jest/globals';
import { createLogger, PinoLoggerService } from './logger.js';

/** Returns the text that is written for one call. */
function written(call: (logger: PinoLoggerService) => void): string {
  const lines: string[] = [];
  call(new PinoLoggerService(createLogger('info', { write: (line) => lines.push(line) })));
  return lines.join('');
}

describe('a logged error', () => {
  const fromDatabase = Object.assign(new Error('violates check constraint'), {
    code: '23514',
    detail: 'Failing row contains (1, a secret prompt, fan@example.com).',
    where: 'PL/pgSQL with a secret prompt',
  });

  it.each([
    ['in the fields', (error: Error) => ['A request failed.', { error }, 'ErrorFilter']],
    ['as the message', (error: Error) => [error, 'ErrorFilter']],
    ['behind the message', (error: Error) => ['A request failed.', error, 'ErrorFilter']],
    ['as a cause', (error: Error) => ['A request failed.', { error: new Error('outer', { cause: error }) }, 'X']],
    ['among others', (error: Error) => ['A request failed.', { error: new AggregateError([error], 'all') }, 'X']],
  ])('keeps its message and stack and drops its other fields: %s', (_, args) => {
    const line = written((logger) => logger.error(...(args(fromDatabase) as [unknown])));
    expect(line).toContain('violates check constraint');
    expect(line).toContain('logger.spec');
    expect(line).not.toMatch(/secret|fan@example/);
  });

  it('keeps its code', () => {
    expect(JSON.parse(written((logger) => logger.warn('No.', { error: fromDatabase }, 'Test')))).toMatchObject({
      level: 'warn',
      context: 'Test',
      msg: 'No.',
      error: { type: 'Error', code: '23514' },
    });
  });
});

it('leaves out the lines of Nest about its own start, below the level of debug', () => {
  const line = (context?: string): string =>
    written((logger) => logger.log('Mapped a route.', ...(context ? [context] : [])));
  expect(line('RouterExplorer')).toBe('');
  expect(JSON.parse(line('PaymentWorker'))).toMatchObject({
    level: 'info',
    context: 'PaymentWorker',
    msg: 'Mapped a route.',
  });
  expect(JSON.parse(line())).toMatchObject({ level: 'info', msg: 'Mapped a route.' });
});

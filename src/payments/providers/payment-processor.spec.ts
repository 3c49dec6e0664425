import { describe, expect, it } from '@jest/globals';
import { checkoutIdOf, describeError, ProcessorUnavailableError } from './payment-processor.js';

const ID = '019cd6b8-1c00-7000-8000-000000000001';

describe('checkoutIdOf', () => {
  it.each([
    [{ checkoutId: ID }, ID],
    [{ checkoutId: 'order-17' }, null],
    [{ order: ID }, null],
    [null, null],
  ])('reads %j as %s', (metadata, id) => {
    expect(checkoutIdOf({ metadata })).toBe(id);
  });
});

describe('describeError', () => {
  const refused = Object.assign(new TypeError('for fan@example.com'), { code: 'ECONNREFUSED' });

  it.each([
    ['an error', new RangeError('for fan@example.com'), 'RangeError'],
    ['an error with a code', refused, 'TypeError ECONNREFUSED'],
    ['the cause of an error', new Error('outer', { cause: refused }), 'TypeError ECONNREFUSED'],
    [
      'an error of the processor',
      new ProcessorUnavailableError('for fan@example.com', 'StripeAPIError 500'),
      'StripeAPIError 500',
    ],
    ['what is no error', 'fan@example.com', 'unknown'],
  ])('names class and code of %s, without its message', (_kind, error, words) => {
    expect(describeError(error)).toBe(words);
  });
});

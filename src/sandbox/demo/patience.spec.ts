import { describe, expect, it } from '@jest/globals';
import { PaymentBusyError } from '../../payments/index.js';
import { EventStoreUnavailableError } from '../../platform/event-store/event-store.js';
import { isTransient } from './patience.js';

describe('isTransient', () => {
  it.each([
    ['a store that does not answer', new EventStoreUnavailableError('The store is away.')],
    ['a payment that a worker of the app settles at the same time', new PaymentBusyError('Payment cs_1 is locked.')],
  ])('repeats a step of the demo after %s', (_case, error) => {
    expect(isTransient(error)).toBe(true);
  });

  it('does not repeat a step that failed for another reason', () => {
    expect(isTransient(new Error('declined'))).toBe(false);
  });
});

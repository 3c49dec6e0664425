import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { signUp } from '../support/api-client.js';
import { engines, openPlace, type Place } from './place.js';

jest.setTimeout(480_000);

describe('a purchase in other browsers', () => {
  let place: Place;

  beforeAll(async () => {
    place = await openPlace();
  });
  afterAll(() => place?.close());

  it.each(engines)('adds credits in %s after a declined card, and hides nothing under something else', (name) =>
    place.visit(name, async (visitor) => {
      const { cookies } = await signUp(place.url, `buyer-in-${name}@example.com`, 'correct-horse-9');
      await visitor.signIn(cookies);
      await visitor.open('/purchase-credits');
      await visitor.find('button', 'Buy Now');
      expect(await visitor.coveredControls()).toEqual([]);
      await visitor.click('button', 'Buy Now', 1);
      await visitor.arriveAt(/^\/__sandbox\/stripe\/pay\/cs_test_/);
      await visitor.click('button', /4000 0000 0000 0002/);
      await visitor.click('button', /^Pay \$25/);
      await visitor.find('[role=alert]', /Your card was declined/);
      await visitor.click('button', /4242 4242 4242 4242/);
      await visitor.click('button', /^Pay \$25/);
      await visitor.find('h1', 'Payment Successful!');
      // The credits of the day may follow.
      await visitor.find('button', /^2[89]0 credits$/);
      expect(await visitor.coveredControls()).toEqual([]);
      await visitor.click('link', 'View My Credits');
      await visitor.find('h1', 'Credits');
      expect(await visitor.coveredControls()).toEqual([]);
    }),
  );
});

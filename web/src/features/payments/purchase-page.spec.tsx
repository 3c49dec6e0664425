import { describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen, within } from '@testing-library/react';
import type { CreditBundle } from '../../../../src/contract/payments.js';
import {
  accessibilityFaults,
  fakeServer,
  lost,
  never,
  refusal,
  renderPage,
  click,
  onPage,
} from '../../../test/page.js';
import { PurchasePage } from './purchase-page.js';

const BUNDLES = 'get_credit_bundles';
const CHECKOUT = 'create-checkout-session';
const bundles: readonly CreditBundle[] = [
  { id: 'basic', name: 'Basic', description: '', credits: 100, price: 10, popular: false },
  { id: 'popular', name: 'Popular', description: '', credits: 250, price: 25, popular: true },
];

describe('PurchasePage', () => {
  onPage();

  const open = async (answers: Record<string, unknown> = {}) => {
    const server = fakeServer({ [BUNDLES]: bundles, ...answers });
    await renderPage(<PurchasePage notice={null} works={[]} />, '/purchase-credits');
    return server;
  };
  /** The card of a bundle. */
  const card = (name: string): HTMLElement => {
    const found = screen.getByRole('heading', { level: 2, name }).closest('li');
    if (!found) throw new Error(`There is no bundle ${name}.`);
    return found;
  };
  const buy = (name: string): HTMLElement => within(card(name)).getByRole('button');

  it('[F2.66, F8.29] opens one session for a double click, and enables the button again after Back', async () => {
    const server = await open({ [CHECKOUT]: never });
    act(() => {
      fireEvent.click(buy('Popular'));
      fireEvent.click(buy('Popular'));
    });
    await click(buy('Basic'));
    expect(within(card('Popular')).getByText('Processing...').getAttribute('aria-hidden')).toBe('false');
    expect(buy('Basic').getAttribute('aria-disabled')).toBe('true');
    expect(server.bodies(CHECKOUT)).toMatchObject([{ userEmail: 'ada@fanvas.example', bundleId: 'popular' }]);
    // The browser restores the page from its back-forward cache.
    const shown = Object.assign(new Event('pageshow'), { persisted: true });
    act(() => void window.dispatchEvent(shown));
    expect(buy('Popular').textContent).toContain('Buy Now');
    expect(buy('Basic').getAttribute('aria-disabled')).toBeNull();
  });

  describe('refused checkout', () => {
    const problemAfter = async (answer: unknown) => {
      const server = await open({ [CHECKOUT]: answer });
      const before = server.count(BUNDLES);
      await click(buy('Basic'), 10);
      expect(within(card('Popular')).getByRole('alert').textContent).toBe('');
      return {
        problem: within(card('Basic')).getByRole('alert').textContent,
        freshPrices: server.count(BUNDLES) - before,
      };
    };

    it.each([
      ['without a network', lost, 'There was a problem processing your request. Please try again.', 0],
      ['after the session', refusal(401, 'JWT expired'), 'Failed to authenticate. Please try again.', 0],
      ['at another price', refusal(422, 'The price has changed.'), 'The price has changed.', 1],
    ])('[F8.29] shows the problem %s', async (_, answer, words, freshPrices) => {
      const { problem, ...rest } = await problemAfter(answer);
      expect(problem).toContain(words);
      expect(rest).toEqual({ freshPrices });
    });

    it('[F8.29] never follows the address of another site', async () => {
      const error = jest.spyOn(console, 'error').mockImplementation(() => undefined);
      const { problem } = await problemAfter({ url: 'https://checkout.stripe.com.evil.example/pay' });
      expect(problem).toContain('Failed to create checkout session');
      expect(window.location.href).toBe('http://localhost/');
      expect(error).toHaveBeenCalledTimes(1);
      error.mockRestore();
    });
  });

  it.each([
    ['while the bundles load', never, 'Loading the bundles'],
    ['without bundles', [], 'Nothing is for sale right now'],
    ['when the bundles cannot be loaded', refusal(400, 'Something went wrong.'), 'The bundles could not be loaded'],
  ])('has no accessibility faults %s', async (_, answer, words) => {
    await open({ [BUNDLES]: answer });
    expect(screen.getByText(words)).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('has no accessibility faults when a checkout is refused', async () => {
    await open({ [CHECKOUT]: refusal(422, 'The price has changed.') });
    await click(buy('Basic'), 10);
    expect(screen.getByText(/The price has changed/)).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { type JsonObject } from '../../platform/json.js';
import { madeStream, type MadeEvent } from '../../../test/support/made-files.js';
import { loadVerifier } from '../../../test/support/verifier.js';

const NOW = '2026-11-20T09:00:00.000Z';

describe('the public verifier about payouts', () => {
  const PAYOUTS = 'creatorPayout-ada';

  /** Problems of payouts: `b` has 100 cents more than `a`. @param steps a payout and its event each: `a Drafted` */
  async function problemsOf(steps: readonly string[]): Promise<string[]> {
    const { Payouts } = await loadVerifier();
    const problems: string[] = [];
    const stream = new Payouts(PAYOUTS, (sentence) => problems.push(sentence));
    const events = steps.map((step): MadeEvent => {
      const [payoutId = '', type = ''] = step.split(' ');
      const isSum = type === 'Drafted' || type === 'Fixed';
      const data: JsonObject = { payoutId, ...(isSum && { payableCents: payoutId === 'a' ? 100 : 200 }) };
      return [`Payout${type}`, data, NOW];
    });
    for (const event of madeStream(PAYOUTS, events)) await stream.add(event);
    return problems;
  }
  const PAID = ['Drafted', 'Fixed', 'Checked', 'Paid'];
  const otherOne = (version: number, type: string): string =>
    `${PAYOUTS} @ ${version}: ${type} comes while another payout is on its way.`;

  it('names two payouts on their way that take the same earnings', async () => {
    const both = PAID.flatMap((step) => [`a ${step}`, `b ${step}`]);
    expect(await problemsOf(both)).toContain(otherOne(1, 'PayoutDrafted'));
  });

  it('names a failed payout that is paid while a later one contains its amount', async () => {
    const failed = ['a Drafted', 'a Fixed', 'a Checked', 'a Failed', 'b Drafted'];
    expect(await problemsOf([...failed, 'a Paid'])).toEqual([otherOne(5, 'PayoutPaid')]);
    expect(await problemsOf([...failed, 'b Cancelled', 'a Paid'])).toEqual([]);
  });

  it('accepts a transfer that comes back while a later payout is on its way', async () => {
    expect(await problemsOf([...PAID.map((step) => `a ${step}`), 'b Drafted', 'a Failed', 'b Fixed'])).toEqual([]);
  });
});

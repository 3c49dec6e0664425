import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { type JsonObject } from '../../platform/json.js';
import { publicPem } from '../seals/signing-key.js';
import { madeExport, madeLog, madeStream, type MadeEvent } from '../../../test/support/made-files.js';
import { loadVerifier } from '../../../test/support/verifier.js';

const NOW = '2026-11-20T09:00:00.000Z';
const LATER = '2026-11-20T09:00:02.000Z';
const { privateKey: key } = generateKeyPairSync('ed25519');
const keys = [publicPem(createPublicKey(key))];

const grant = (name: string, occurredAt = NOW): MadeEvent => {
  const lot = { lotId: `grant:${name}`, kind: 'bonus', source: 'admin', amount: 5, expiresAt: null, reason: 'A gift' };
  return ['CreditsGranted', lot, occurredAt];
};
const account = (user: string, ...events: readonly MadeEvent[]): readonly StoredEvent[] =>
  madeStream(`creditAccount-${user}`, events);

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

describe('the public verifier about an export and the log', () => {
  const ada = account('ada', grant('1'), grant('2'), grant('3', LATER));
  const bob = account('bob', grant('1'), grant('2', LATER));
  const inOrder = (...places: readonly (readonly [readonly StoredEvent[], number])[]): StoredEvent[] =>
    places.flatMap(([stream, version]) => stream[version] ?? []);
  /** The last two events came after the begin of the export. */
  const log = madeLog(inOrder([ada, 0], [bob, 0], [ada, 1], [ada, 2], [bob, 1]), key);

  async function verified(events: readonly StoredEvent[], allowLater = false): Promise<[string[], number]> {
    const { splitLines, verifyExport } = await loadVerifier();
    const problems: string[] = [];
    const lines = () => splitLines([madeExport(events, key, NOW)]);
    const { later } = await verifyExport({ lines, keys, log, allowLater }, (sentence) => problems.push(sentence));
    return [problems, later];
  }

  it('counts the events of the log that came after the export', async () => {
    const early = [...ada.slice(0, 2), ...bob.slice(0, 1)];
    expect(await verified(early, true)).toEqual([[], 2]);
    expect(await verified(early)).toEqual([['The log has 2 later events.'], 2]);
    // The account of bob was read after its last event, and that of ada before hers.
    expect(await verified([...ada.slice(0, 2), ...bob], true)).toEqual([[], 1]);
    expect(await verified([...ada, ...bob])).toEqual([[], 0]);
  });

  it('names an event that is missing before the end of the export', async () => {
    expect(await verified(ada.slice(0, 2), true)).toEqual([['1 events of the log are missing: 1.'], 2]);
  });
});

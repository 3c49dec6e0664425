import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EMAIL_CODE } from '../../src/sandbox/clerk/index.js';
import { NEW_FAN_CREDITS } from '../support/fan-browser.js';
import { until } from '../support/until.js';
import { engines, openPlace, PHONE, type Place } from './place.js';

jest.setTimeout(480_000);

const PROMPT = 'a lighthouse built of circles';

/** The size of the downloaded picture; 0 without one. */
async function downloadedBytes(folder: string): Promise<number> {
  const file = (await readdir(folder)).find((name) => /^junoabara-a-lighthouse-built-of-circles-\w+\.webp$/.test(name));
  return file ? (await stat(join(folder, file))).size : 0;
}

describe('the main job in other browsers', () => {
  let place: Place;

  beforeAll(async () => {
    place = await openPlace();
  });
  afterAll(() => place?.close());

  it.each(engines)(
    'draws a picture for a new fan in %s, and shows nothing of them after the sign-out and Back',
    (name) =>
      place.visit(name, async (visitor, { downloads }) => {
        const credits = (amount: number) => visitor.find('button', `${amount} credits`);
        await visitor.open('/');
        await visitor.click('link', /Juno Abara/);
        await visitor.arriveAt(/^\/junoabara$/);
        await visitor.find('h2', /Gallery/i);
        expect(await visitor.coveredControls()).toEqual([]);
        await visitor.fill({ textarea: PROMPT });
        await visitor.click('button', /^Generate/);

        await visitor.arriveAt(/^\/sign-up/);
        await visitor.fill({
          'input[name=emailAddress]': `fan-of-${name}@example.com`,
          'input[name=password]': 'correct-horse-9',
        });
        await visitor.pressEnter();
        await visitor.click('input[autocomplete=one-time-code], input[name=code]');
        await visitor.type(EMAIL_CODE);
        await visitor.arriveAt(/^\/junoabara$/);
        await credits(NEW_FAN_CREDITS);

        await visitor.resize(...PHONE);
        await visitor.click('button', /^Generate/);
        await visitor.arriveAt(/\/generate\/[0-9a-f-]{36}$/);
        await visitor.click('button', 'Download');
        await credits(NEW_FAN_CREDITS - 10);
        await until(async () => (await downloadedBytes(downloads)) > 1_000, 'the file', 30_000);

        await visitor.open('/my-creations');
        await visitor.find('link', new RegExp(PROMPT));
        await visitor.click('button', /menu$/i);
        await visitor.click('button', 'Sign Out');
        await visitor.arriveAt(/^\/$/);
        await visitor.back();
        const seen: string[] = [];
        await visitor.until('the page of the sign-in', async () => {
          seen.push(await visitor.text());
          return /^Sign in to Fanvas$/m.test(seen.at(-1) ?? '');
        });
        expect(seen.filter((text) => text.includes(PROMPT) || /\d credits/.test(text))).toEqual([]);
      }),
  );
});

import { describe, expect, it, jest } from '@jest/globals';
import { type Page } from 'playwright-core';
import { signIn, type ApiUser } from '../support/api-client.js';
import { screenFaults } from '../support/axe.js';
import { type FanBrowser, NEW_FAN_CREDITS, useFanBrowser } from '../support/fan-browser.js';
import { focusOn } from '../support/focus.js';
import { until } from '../support/until.js';

jest.setTimeout(480_000);

/** The controls of the demo creator in one browser, and their effect on fans in another one. */
describe('controls of a creator', () => {
  let fan: FanBrowser;
  let creator: ApiUser;

  useFanBrowser(async (started) => {
    fan = started;
    creator = await signIn(fan.app.url, 'creator@fanvas.test', 'fanvas-demo-1');
  });

  const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
  const promptBox = (page: Page) => page.getByRole('textbox', { name: /^Describe an image in/ });
  const openForFans = (page: Page) => page.getByRole('switch', { name: 'Open for fans' });
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

  /** The page for fans is drawn again when a change is stored and announced: the switch changes before. */
  const untilDrawn = (text: string, there: boolean): Promise<unknown> =>
    until(
      async () => (await (await fetch(`${fan.app.url}/junoabara`)).text()).includes(text) === there,
      `the page ${there ? 'with' : 'without'} ${text}`,
    );

  it('[C2.22, C2.23] lets a creator test the model, pause, block a word, withdraw and accept again, while fans follow', async () => {
    const page = await fan.openAs(creator, '/creator?tab=test-model');
    await page.getByText('0 of 20 today').waitFor();
    await page.getByRole('textbox', { name: 'Describe a test picture' }).focus();
    await page.keyboard.type('A brass band on the roof of a station');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('img', { name: 'A brass band on the roof of a station' }).waitFor();
    await page.getByText('1 of 20 today').waitFor();
    await button(page, 'Generate').waitFor();
    const thumb = button(page, 'Not right');
    await thumb.press('Enter');
    const note = page.getByRole('dialog').getByRole('textbox');
    await focusOn(page.getByRole('dialog'));
    expect(await screenFaults(page)).toEqual([]);
    await note.focus();
    await page.keyboard.type('The hats are missing.');
    await page.keyboard.press('Control+Enter');
    // Not the field of the dialog
    await page.locator('p').getByText('The hats are missing.').waitFor();
    await focusOn(thumb);
    expect(await thumb.getAttribute('aria-pressed')).toBe('true');
    expect(await screenFaults(page)).toEqual([]);

    // Fans see a pause, and the words that the creator blocks.
    await page.getByRole('tab', { name: 'Controls' }).click();
    await openForFans(page).press('Space');
    await page.getByText('Paused. Fans read on your page that you are taking a break.').waitFor();
    const word = page.getByRole('textbox', { name: 'Add a word or phrase' });
    await word.fill('cigarette');
    await word.press('Enter');
    await button(page, 'Remove “cigarette”').waitFor();
    expect(await screenFaults(page)).toEqual([]);
    await untilDrawn('"paused":true', true);

    const fans = await fan.openAsNewFan('/junoabara');
    await fans.getByText('Juno Abara is taking a break.').waitFor();
    expect(await promptBox(fans).count()).toBe(0);
    expect(await screenFaults(fans)).toEqual([]);

    await openForFans(page).press('Space');
    await page.getByText('Paused. Fans read').waitFor({ state: 'detached' });
    await untilDrawn('"paused":true', false);
    await fans.reload();
    await promptBox(fans).fill('a C1garette in the rain');
    await button(fans, /^Generate/).click();
    await fans.getByText('A rule of this creator').waitFor();
    expect(await promptBox(fans).inputValue()).toBe('a C1garette in the rain');
    await button(fans, `${NEW_FAN_CREDITS} credits`).waitFor();
    expect(await screenFaults(fans)).toEqual([]);

    await page.reload();
    await page.getByText('Stopped 1 prompt this month, before any credits were taken').waitFor();
    await button(page, 'Remove “cigarette”').press('Enter');
    await button(page, 'Remove “cigarette”').waitFor({ state: 'detached' });
    await focusOn(page.getByRole('heading', { name: 'Blocked words' }));

    // The creator withdraws while the image of the fan is drawn.
    await promptBox(fans).fill('a harbour of glass [[hang]]');
    await button(fans, /^Generate/).click();
    await fans.getByText('Generating: drawing').first().waitFor();
    await button(fans, `${NEW_FAN_CREDITS - 10} credits`).waitFor();

    await button(page, 'Withdraw…').press('Enter');
    await page.getByLabel('Write your name to confirm').fill('Juno Abara');
    expect(await screenFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await focusOn(button(page, 'Withdraw…'));
    await page.keyboard.press('Enter');
    await page.getByLabel('Write your name to confirm').fill('Juno Abara');
    await page.keyboard.press('Enter');
    await page.getByText(/^You withdrew your consent on/).waitFor();
    await focusOn(page.getByRole('heading', { name: 'Consent', exact: true }));
    expect(await screenFaults(page)).toEqual([]);

    await fans.getByText('This creator left before your image was finished').first().waitFor();
    await fans.getByText(/^This creator has left Fanvas. Images/).waitFor();
    await fans.getByText('Credits were automatically refunded for this generation', { exact: true }).waitFor();
    await button(fans, `${NEW_FAN_CREDITS} credits`).waitFor();
    expect(await screenFaults(fans)).toEqual([]);
    await untilDrawn('"withdrawn":true', true);
    const visitor = await fan.open('/junoabara', { visitor: true });
    await title(visitor, 'Juno Abara has left Fanvas').waitFor();
    expect(await screenFaults(visitor)).toEqual([]);

    await page.getByRole('region', { name: 'Consent' }).getByRole('button', { name: 'Accept again' }).press('Enter');
    await button(page, 'I Accept Terms').click();
    await title(page, 'Welcome back, Juno Abara').waitFor();
    await untilDrawn('"withdrawn":true', false);
    await visitor.reload();
    await visitor.getByRole('heading', { name: 'GALLERY' }).waitFor();
    await promptBox(visitor).waitFor();
  });
});

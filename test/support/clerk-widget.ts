import type { Page } from 'playwright-core';
import { EMAIL_CODE } from '../../src/sandbox/clerk/index.js';
import { idle } from './idle.js';

/**
 * Fills fields of Clerk's widget by their names and submits with Enter. When a field loses focus, a message can appear
 * that moves the button between mouse down and mouse up, so the browser fires no click.
 */
export async function submitWidget(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  // Fields with tabindex -1 wait hidden for a password manager.
  const all = Object.entries(fields).map(([name, value]) => ({
    field: page.locator(`input[name=${name}]:not([tabindex="-1"])`),
    value,
  }));
  for (const { field, value } of all) await field.fill(value);
  await idle(page);
  // The widget renders again while its parts load, which can lose earlier typing.
  for (const { field, value } of all) if ((await field.inputValue()) !== value) await field.fill(value);
  await all.at(-1)?.field.press('Enter');
}

/** The widget's field for a one-time code. */
export const CODE_FIELD = 'input[autocomplete=one-time-code], input[name=code]';

/** Types a one-time code; the widget submits it with the last digit. */
export async function typeCode(page: Page, code: string): Promise<void> {
  const field = page.locator(CODE_FIELD).first();
  await field.waitFor();
  await field.focus();
  await page.keyboard.type(code, { delay: 20 });
}

/** Signs a new user up on the widget that the page shows, with the code of the e-mail. */
export async function signUpWithWidget(page: Page, email: string, password: string, code = EMAIL_CODE): Promise<void> {
  await page.waitForLoadState('networkidle');
  await submitWidget(page, { emailAddress: email, password });
  await typeCode(page, code);
}

/** Signs in on the widget that the page shows, with e-mail and password. */
export async function signInWithWidget(page: Page, email: string, password: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  await submitWidget(page, { identifier: email });
  await submitWidget(page, { password });
}

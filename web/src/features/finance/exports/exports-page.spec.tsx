import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { openFinancePage, press, saved, onFinancePage } from '../../../../test/finance-page.js';
import { accessibilityFaults, refusal, click } from '../../../../test/page.js';
import ExportsPage from './exports-page.js';

onFinancePage();

describe('ExportsPage', () => {
  it('saves the journal of the last complete month by default', async () => {
    await openFinancePage(<ExportsPage />, '/finance/exports', { answers: { 'journal.csv': 'date\r\n' } });
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'From, UTC' }).value).toBe('2026-10-01');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'To, UTC' }).value).toBe('2026-11-01');
    await click(screen.getByRole('button', { name: 'Journal as CSV' }), 0);
    expect(saved).toEqual(['fanvas-journal.csv']);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it.each([
    ['From, UTC', 'from must be a day or an instant such as 2026-03-10T09:00:00Z'],
    ['From, UTC', 'The period must not begin in the future.'],
    ['To, UTC', 'to must be a day or an instant such as 2026-03-10T09:00:00Z'],
    ['To, UTC', 'The period must not end before it begins.'],
  ])('shows at the field %s: %s', async (name, sentence) => {
    await openFinancePage(<ExportsPage />, '/finance/exports', { answers: { 'journal.csv': refusal(400, sentence) } });
    await press('e');
    expect(screen.getByRole('textbox', { name, description: sentence }).getAttribute('aria-invalid')).toBe('true');
  });
});

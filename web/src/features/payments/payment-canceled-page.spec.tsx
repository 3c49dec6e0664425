import { afterEach, describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { accessibilityFaults, renderPage, onPage, textsOf } from '../../../test/page.js';
import { rememberPromptPlace } from '../../lib/prompt-place.js';
import PaymentCanceledPage from './payment-canceled-page.js';

onPage();
afterEach(() => window.sessionStorage.clear());

const links = (): (string | null)[] => textsOf(screen.getAllByRole('link'));

describe('PaymentCanceledPage', () => {
  it('links to the page where the prompt waits', async () => {
    rememberPromptPlace({ path: '/junoabara', creatorName: 'Juno Abara', prompt: 'a heron in fog' });
    await renderPage(<PaymentCanceledPage />, '/payment-canceled', '/payment-canceled');
    expect(screen.getByRole('link', { name: 'Back to Juno Abara' }).getAttribute('href')).toBe('/junoabara');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('has no such link in a tab that showed no creator', async () => {
    await renderPage(<PaymentCanceledPage />, '/payment-canceled', '/payment-canceled');
    expect(links()).toEqual(expect.arrayContaining(['Try Again', 'Return to Home']));
    expect(links().join()).not.toContain('Back to');
  });
});

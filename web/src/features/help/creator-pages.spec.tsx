import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { CREATOR_TERMS } from '../../../../src/contract/creator-terms.js';
import { accessibilityFaults, asVisitor, renderPage, onPage } from '../../../test/page.js';
import CreatorRequirementsPage from './creator-requirements-page.js';
import CreatorTermsPage from './creator-terms-page.js';

describe('a public page for creators', () => {
  onPage(() => asVisitor());

  it('[C2.03, C2.27] shows a visitor the creator terms, word for word', async () => {
    await renderPage(<CreatorTermsPage />);
    expect(screen.getByRole('heading', { level: 1, name: 'Creator Terms of Use' })).toBeTruthy();
    expect(screen.getByText('Effective 7/31/2025')).toBeTruthy();
    for (const { paragraphs } of CREATOR_TERMS) {
      for (const paragraph of paragraphs) expect(screen.getByText(paragraph)).toBeTruthy();
    }
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('[C2.04] shows a visitor the requirements, with the way to apply', async () => {
    await renderPage(<CreatorRequirementsPage />);
    expect(screen.getByRole('heading', { level: 1, name: 'Creator Requirements' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'apply' }).getAttribute('href')).toBe('/creator');
    expect(screen.getByText(/again 90 days after the decision/)).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });
});

import { describe, expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import { renderPage, onPage } from '../../../../test/page.js';
import { BackLink } from './back-link.js';

onPage();

describe('BackLink', () => {
  const arriveFrom = (referrer: string, pages: number, idx: number): void => {
    jest.spyOn(document, 'referrer', 'get').mockReturnValue(referrer);
    jest.spyOn(window.history, 'length', 'get').mockReturnValue(pages);
    window.history.replaceState({ idx }, '');
  };

  it.each([
    ['a page of the app', '', 2, 1],
    ['a document of this site', `${window.location.origin}/junoabara`, 2, 0],
  ])('goes one step back after %s', async (_, referrer, pages, idx) => {
    arriveFrom(referrer, pages, idx);
    await renderPage(<BackLink />);
    expect(screen.getByRole('button', { name: 'Back' })).toBeTruthy();
  });

  it.each([
    ['nothing', '', 1],
    ['another site', 'https://example.com/junoabara', 2],
    ['a site whose name begins with that of this one', `${window.location.origin}.example.com/`, 2],
    ['a page of this site in another tab', `${window.location.origin}/junoabara`, 1],
  ])('goes to the home page after %s', async (_, referrer, pages) => {
    arriveFrom(referrer, pages, 0);
    await renderPage(<BackLink />);
    expect(screen.getByRole('link', { name: 'Back' }).getAttribute('href')).toBe('/');
  });
});

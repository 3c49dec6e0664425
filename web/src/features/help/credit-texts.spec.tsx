import { describe, expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import FaqPage from './faq-page.js';
import TermsOfUsePage from './terms-of-use-page.js';

/** Text of a page without its markup. */
function textOf(page: React.ReactNode): string {
  return renderToStaticMarkup(<MemoryRouter>{page}</MemoryRouter>).replace(/<[^>]+>/g, ' ');
}

it('names each section of the FAQ by its title', () => {
  render(<FaqPage />, { wrapper: MemoryRouter });
  const names = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent ?? '');
  expect(names.filter((name) => screen.queryByRole('region', { name }) === null)).toEqual([]);
});

describe('[F9.10] credit texts', () => {
  it('the terms state that purchased credits do not expire', () => {
    const terms = textOf(<TermsOfUsePage />);
    expect(terms).toContain('Purchased credits do not expire.');
    expect(terms).not.toMatch(/may expire|will expire|credits expire/i);
  });

  it('the FAQ states that purchased credits do not expire', () => {
    expect(textOf(<FaqPage />)).toMatch(/Do purchased credits expire\?\s+No\./);
  });

  it('the FAQ does not say that an archived creator takes a break', () => {
    expect(textOf(<FaqPage />)).toMatch(/Creator Archived. mean\?\s+The creator offers no images on Fanvas now\./);
    expect(textOf(<FaqPage />)).not.toContain('taking a break');
  });
});

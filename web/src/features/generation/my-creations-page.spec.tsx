/** @jest-environment ./web/browser-environment.mjs */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import {
  accessibilityFaults,
  endPage,
  fakeServer,
  generation,
  messages,
  never,
  pass,
  PICTURE,
  refusal,
  renderPage,
  startPage,
} from '../../../test/page.js';
import { MyCreationsPage } from './my-creations-page.js';

const LIST = 'get_user_generations_by_jwt_paginated';
const page = <MyCreationsPage loadGenerationPage={() => Promise.resolve()} />;
const TAKEN_DOWN = {
  hidden: true,
  moderation: { decision: 'taken_down', note: 'Shows a private person.', at: '2026-11-20T22:00:00.000Z' },
} as const;
const listOf = (...rows: ReturnType<typeof generation>[]) =>
  rows.map((row) => ({ generation: row, total_count: rows.length }));

describe('MyCreationsPage', () => {
  beforeEach(startPage);
  afterEach(endPage);

  it('[F2.60] polls every 5 s while a generation is pending, and stops when it has ended', async () => {
    const server = fakeServer({ [LIST]: listOf(generation(), generation({ id: 'g2', status: 'failed' })) });
    await renderPage(page, '/my-creations');
    await pass(4999);
    expect(server.count(LIST)).toBe(1);
    await pass(1);
    expect(server.count(LIST)).toBe(2);
    await pass(5000);
    expect(server.count(LIST)).toBe(3);
    server.answer({ [LIST]: listOf(generation({ status: 'failed' })) });
    await pass(5000);
    expect(server.count(LIST)).toBe(4);
    await pass(3_600_000);
    expect(server.count(LIST)).toBe(4);
  });

  describe('card badges', () => {
    const badgesOf = async (row: ReturnType<typeof generation>): Promise<string[]> => {
      fakeServer({ [LIST]: listOf(row) });
      await renderPage(page, '/my-creations');
      const card = within(screen.getByRole('listitem'));
      return ['Hidden', 'Generating...', 'Generation Unsuccessful', 'Taken down', 'Credits Refunded'].filter((text) =>
        card.queryByText(text),
      );
    };

    it.each([
      ['a pending generation', generation(), ['Generating...']],
      ['a finished image', generation({ status: 'completed', image: PICTURE }), []],
      ['a hidden image', generation({ status: 'completed', image: PICTURE, hidden: true }), ['Hidden']],
      ['an image that an admin has taken down', generation({ status: 'completed', ...TAKEN_DOWN }), ['Taken down']],
      ['a failure before its refund', generation({ status: 'failed' }), ['Generation Unsuccessful']],
    ] as const)('shows the badges of %s', async (_, row, badges) => {
      expect(await badgesOf(row)).toEqual(badges);
    });

    it('[F2.57] shows the badge for refunded credits on the card of a refunded failure', async () => {
      const refunded = generation({ status: 'failed', refunded: true });
      expect(await badgesOf(refunded)).toEqual(['Generation Unsuccessful', 'Credits Refunded']);
    });
  });

  it('[F2.58] links to the home page when there are no creations', async () => {
    fakeServer({ [LIST]: [] });
    await renderPage(page, '/my-creations');
    expect(screen.getByText("You haven't created any art yet!")).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Start Creating' }).getAttribute('href')).toBe('/');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('shows placeholders while the creations load', async () => {
    fakeServer({ [LIST]: never });
    await renderPage(page, '/my-creations');
    expect(screen.getByRole('status').textContent).toBe('Loading your creations');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('shows why the creations could not be loaded', async () => {
    fakeServer({ [LIST]: refusal(400, 'Something went wrong on our side.') });
    await renderPage(page, '/my-creations');
    expect(screen.getByRole('alert').textContent).toContain('Your creations could not be loaded');
    expect(screen.getByRole('alert').textContent).toContain('Something went wrong on our side.');
    expect(await accessibilityFaults()).toEqual([]);
  });

  describe('[F8.27] click on a card', () => {
    const image = generation({ status: 'completed', image: PICTURE });

    it('shows an error when the creator is unknown', async () => {
      fakeServer({ [LIST]: listOf({ ...image, creator_username: 'unknown' }) });
      const router = await renderPage(page, '/my-creations');
      fireEvent.click(screen.getByRole('link', { name: /fox/ }));
      await pass(10);
      expect(messages()).toEqual(['Unable to view this creation. The creator information is missing.']);
      expect(router.state.location.pathname).toBe('/my-creations');
    });

    it('shows an error when the code of the generation page cannot be loaded', async () => {
      fakeServer({ [LIST]: listOf(image) });
      const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
      const broken = <MyCreationsPage loadGenerationPage={() => Promise.reject(new TypeError('no such chunk'))} />;
      const router = await renderPage(broken, '/my-creations');
      fireEvent.click(screen.getByRole('link', { name: /fox/ }));
      await pass(10);
      expect(messages()).toEqual(['An error occurred while trying to view this creation.']);
      expect(router.state.location.pathname).toBe('/my-creations');
      expect(warn).toHaveBeenCalledTimes(1);
      warn.mockRestore();
    });
  });
});

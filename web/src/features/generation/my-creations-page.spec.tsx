/** @jest-environment ./web/browser-environment.mjs */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { endPage, fakeServer, generation, pass, PICTURE, renderPage, startPage } from '../../../test/page.js';
import { MyCreationsPage } from './my-creations-page.js';

const LIST = 'get_user_generations_by_jwt_paginated';
const page = <MyCreationsPage loadGenerationPage={() => Promise.resolve()} />;
const listOf = (...rows: ReturnType<typeof generation>[]) =>
  rows.map((row) => ({ generation: row, total_count: rows.length }));

describe('MyCreationsPage', () => {
  beforeEach(startPage);
  afterEach(endPage);

  it('[F2.60] asks again every 5 s while a generation is pending, and never after its end', async () => {
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
      return ['Hidden', 'Generating...', 'Generation Unsuccessful', 'Credits Refunded'].filter((text) =>
        card.queryByText(text),
      );
    };

    it.each([
      ['a pending generation', generation(), ['Generating...']],
      ['a finished image', generation({ status: 'completed', image: PICTURE }), []],
      ['a hidden image', generation({ status: 'completed', image: PICTURE, hidden: true }), ['Hidden']],
      ['a failure before its refund', generation({ status: 'failed' }), ['Generation Unsuccessful']],
    ] as const)('shows the badges of %s', async (_, row, badges) => {
      expect(await badgesOf(row)).toEqual(badges);
    });

    it('[F2.57] shows that the credits were refunded exactly on refunded cards', async () => {
      const refunded = generation({ status: 'failed', refunded: true });
      expect(await badgesOf(refunded)).toEqual(['Generation Unsuccessful', 'Credits Refunded']);
    });
  });
});

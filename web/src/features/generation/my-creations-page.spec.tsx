import { describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import {
  accessibilityFaults,
  fakeServer,
  generation,
  messages,
  never,
  pass,
  PICTURE,
  refusal,
  renderPage,
  press,
  click,
  onPage,
  textsOf,
} from '../../../test/page.js';
import { MyCreationsPage } from './my-creations-page.js';

const LIST = 'get_user_generations_by_jwt_paginated';
const onListsChange = jest.fn();
const page = <MyCreationsPage loadGenerationPage={() => Promise.resolve()} onListsChange={onListsChange} />;
const TAKEN_DOWN = {
  hidden: true,
  moderation: { decision: 'taken_down', note: 'Shows a private person.', at: '2026-11-20T22:00:00.000Z' },
} as const;
const listOf = (...rows: ReturnType<typeof generation>[]) =>
  rows.map((row) => ({ generation: row, total_count: rows.length }));

describe('MyCreationsPage', () => {
  onPage();

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

  it('[F2.08] shows why another page redirected here, once', async () => {
    fakeServer({ [LIST]: [] });
    const error = 'Could not find creator information for this generation';
    const router = await renderPage(page, '/my-creations', undefined, { error });
    expect(messages()).toEqual([error]);
    expect(router.state.location.state).toBeNull();
  });

  it('shows failed ones in a line each, after the images', async () => {
    const failed = generation({ id: 'g2', status: 'failed', prompt: 'a failed owl', refunded: true });
    fakeServer({ [LIST]: listOf(failed, generation({ status: 'completed', image: PICTURE })) });
    await renderPage(page, '/my-creations');
    const items = screen.getAllByRole('listitem');
    expect(items.map((item) => within(item).queryByText('Generation Unsuccessful') !== null)).toEqual([false, true]);
    const section = within(screen.getByRole('region', { name: 'Not finished' }));
    expect(section.getByRole('link').textContent).toBe('a failed owlGeneration UnsuccessfulCredits Refunded');
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

  it('asks the server for the failed ones only, and names their absence', async () => {
    const server = fakeServer({ [LIST]: [] });
    await renderPage(page, '/my-creations?show=failed');
    expect(server.calls.map(({ body }) => body)).toEqual([{ p_limit: 12, p_offset: 0, p_show: 'failed' }]);
    expect(screen.getByText('Nothing has failed')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Failed' }).getAttribute('aria-current')).toBe('page');
    expect(screen.getByRole('link', { name: 'Show all' }).getAttribute('href')).toBe('/my-creations');
    expect(await accessibilityFaults()).toEqual([]);
  });

  describe('selection', () => {
    const image = generation({ status: 'completed', image: PICTURE });
    const failed = generation({ id: 'g2', status: 'failed', prompt: 'a failed owl' });
    const open = async (answers: object = {}) => {
      const server = fakeServer({
        [LIST]: listOf(image, failed, generation({ id: 'g3', prompt: 'a pending boat' })),
        delete_generation_by_jwt: { success: true },
        hide_generation_by_jwt: { success: true },
        ...answers,
      });
      await renderPage(page, '/my-creations');
      fireEvent.click(screen.getByRole('button', { name: 'Select' }));
      return server;
    };

    it('deletes all ended creations of the page after a question', async () => {
      const server = await open();
      onListsChange.mockClear();
      expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select: a pending boat' }).disabled).toBe(true);
      await press('Select all');
      await press('Delete');
      expect(server.count('delete_generation_by_jwt')).toBe(0);
      await press('Delete 2 creations');
      const deleted = server.calls.filter(({ name }) => name === 'delete_generation_by_jwt');
      expect(deleted.map(({ body }) => body)).toEqual([{ p_generation_id: 'g1' }, { p_generation_id: 'g2' }]);
      expect(messages()).toEqual(['2 creations deleted.']);
      expect(onListsChange).toHaveBeenCalledTimes(1);
    });

    it('leaves out what an admin has taken down', async () => {
      const takenDown = generation({ id: 'g4', status: 'completed', prompt: 'a private person', ...TAKEN_DOWN });
      const server = await open({ [LIST]: listOf(takenDown, image) });
      expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select: a private person' }).disabled).toBe(true);
      await press('Select all');
      await press('Delete');
      await press('Delete 1 creation');
      expect(server.bodies('delete_generation_by_jwt')).toEqual([{ p_generation_id: 'g1' }]);
    });

    it('looks again after a refusal, and leaves out what was taken down meanwhile', async () => {
      const server = await open({ [LIST]: listOf(image, failed) });
      await press('Select all');
      await press('Delete');
      server.answer({
        [LIST]: listOf({ ...image, ...TAKEN_DOWN, image: null }, failed),
        delete_generation_by_jwt: refusal(400, 'It was taken down.'),
      });
      await press('Delete 2 creations');
      expect(screen.getByText('1 selected')).toBeTruthy();
      server.answer({ delete_generation_by_jwt: { success: true } });
      await press('Delete 1 creation');
      expect(server.last('delete_generation_by_jwt')).toEqual({ p_generation_id: 'g2' });
      expect(messages()).toEqual(['1 creation deleted.']);
    });

    it('offers no act when nothing of the selection is left', async () => {
      const server = await open({ [LIST]: listOf(image) });
      await press('Select all');
      await press('Delete');
      server.answer({
        [LIST]: listOf({ ...image, ...TAKEN_DOWN, image: null }),
        delete_generation_by_jwt: refusal(400, 'It was taken down.'),
      });
      await press('Delete 1 creation');
      const dialog = screen.getByRole('alertdialog', { name: 'Nothing is left' });
      expect(dialog.textContent).toContain('It was taken down.');
      expect(within(dialog).queryByRole('button', { name: /^Delete/ })).toBeNull();
      await press('Close');
      expect(messages()).toEqual([]);
    });

    it('hides the visible images of the selection only', async () => {
      const server = await open();
      await press('Select all');
      await press('Hide');
      await press('Hide 1 creation');
      const hidden = server.calls.filter(({ name }) => name === 'hide_generation_by_jwt');
      expect(hidden.map(({ body }) => body)).toEqual([{ p_generation_id: 'g1', p_hidden: true }]);
    });

    it('reports how many are deleted when a call fails, and keeps the others selected', async () => {
      const one = (body: unknown): unknown =>
        (body as { p_generation_id: string }).p_generation_id === 'g1' ? { success: true } : refusal(400, 'Too late.');
      await open({ delete_generation_by_jwt: one });
      await press('Select all');
      await press('Delete');
      await press('Delete 2 creations');
      expect(textsOf(screen.getAllByRole('alert'))).toContain('1 of 2 are deleted. Too late.');
      expect(screen.getByText('1 selected')).toBeTruthy();
    });
  });

  describe('[F8.27] click on a card', () => {
    const image = generation({ status: 'completed', image: PICTURE });

    it('shows an error when the creator is unknown', async () => {
      fakeServer({ [LIST]: listOf({ ...image, creator_username: 'unknown' }) });
      const router = await renderPage(page, '/my-creations');
      await click(screen.getByRole('link', { name: /fox/ }), 10);
      expect(messages()).toEqual(['Unable to view this creation. The creator information is missing.']);
      expect(router.state.location.pathname).toBe('/my-creations');
    });

    it('shows an error when the code of the generation page cannot be loaded', async () => {
      fakeServer({ [LIST]: listOf(image) });
      const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
      const broken = (
        <MyCreationsPage
          loadGenerationPage={() => Promise.reject(new TypeError('no such chunk'))}
          onListsChange={onListsChange}
        />
      );
      const router = await renderPage(broken, '/my-creations');
      await click(screen.getByRole('link', { name: /fox/ }), 10);
      expect(messages()).toEqual(['An error occurred while trying to view this creation.']);
      expect(router.state.location.pathname).toBe('/my-creations');
      expect(warn).toHaveBeenCalledTimes(1);
      warn.mockRestore();
    });
  });
});

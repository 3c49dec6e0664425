import { jest } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import type { AdminGallery, AdminGeneration, AdminGenerationRow } from '../../src/contract/admin-gallery.js';
import type { AdminCreatorRow } from '../../src/contract/applications.js';
import { GalleryPage } from '../src/features/admin/gallery/gallery-page.js';
import { asFan, fakeServer, pass, renderPage, screenIs, onPage, type Answers, type FakeServer } from './page.js';
import { ADMIN_CREATOR, adminGeneration } from './rows.js';

/** The page of the creator. */
export const ADDRESS = '/admin/gallery/junoabara';
const NEXT: AdminCreatorRow = { ...ADMIN_CREATOR, id: 'c2', name: 'Kit Hanamori', username: 'kithanamori' };

/** A generation of the creator; without further fields a completed one. */
const image = (id: string, fields: Partial<AdminGeneration> = {}): AdminGeneration =>
  adminGeneration({ id, prompt: `Picture ${id}`, updated_at: '2026-11-17T21:14:46.000Z', ...fields });
const FAILED = image('f1', {
  status: 'failed',
  image: null,
  image_url: null,
  refunded: true,
  refund_reason: 'Timed out after 15 minutes',
  refunded_at: '2026-11-19T22:33:50.000Z',
  error_message: 'The image service gave no answer within 900 seconds.',
  not_addable: 'no_image',
});
/** A gallery of images with these letters as ids, version 4. */
export const gallery = (ids: string, fields: Partial<AdminGallery> = {}): AdminGallery => ({
  creator_id: 'c1',
  version: 4,
  saved_at: '2026-11-22T09:39:00.000Z',
  saved_by: 'Sol Brandt',
  items: [...ids].map((id) => image(id)),
  ...fields,
});
const rows = (items: AdminGeneration[], total = items.length): AdminGenerationRow[] =>
  items.map((item) => ({ ...item, total_count: total }));

/** The body of `save_gallery_admin`. */
export interface SaveRequest {
  readonly p_creator_id: string;
  readonly p_expected_version: number;
  readonly p_gallery_order: string[];
}
/** Stores what is sent, as the next version. */
export const saves = (body: unknown): AdminGallery => {
  const { p_gallery_order: order, p_expected_version: version } = body as SaveRequest;
  return gallery(order.join(''), { version: version + 1 });
};

/** Called by the page after each save. */
export const onSaved = jest.fn();

/** Gives each test a wide page of an admin. */
export const onGalleryPage = (): void =>
  onPage(() => {
    asFan({ id: 'admin_1' });
    screenIs(true);
    onSaved.mockReset();
  });

interface OpenGallery {
  readonly router: Awaited<ReturnType<typeof renderPage>>;
  readonly server: FakeServer;
}

/** Opens the gallery with the images a, b and c, alone or in the frame of the area. */
export async function openGallery(
  answers: Answers = {},
  inFrame = (page: React.ReactNode): React.ReactNode => page,
): Promise<OpenGallery> {
  const server = fakeServer({
    list_creators_admin: (body: unknown) => {
      const { p_state, p_username, p_after } = body as { p_state: string; p_username?: string; p_after?: string };
      if (p_state === 'archived') return [];
      if (p_after !== undefined) return p_after === ADMIN_CREATOR.id ? [NEXT] : [];
      return [ADMIN_CREATOR, NEXT].filter(({ username }) => username === p_username);
    },
    get_gallery_admin: gallery('abc'),
    list_creator_generations_admin: rows([image('x'), image('b'), FAILED], 30),
    save_gallery_admin: saves,
    ...answers,
  });
  const router = await renderPage(inFrame(<GalleryPage onSaved={onSaved} />), ADDRESS, '/admin/gallery/:username');
  await pass(100);
  return { router, server };
}

/** The list of the gallery, also behind a dialog. */
const list = (): HTMLElement =>
  screen.getByRole('grid', { name: 'Images of the gallery in their order', hidden: true });

/** The ids in the order of the list. */
export const order = (): string[] =>
  within(list())
    .getAllByRole('row', { hidden: true })
    .map((row) => row.getAttribute('data-key') ?? '');

/** The row of an image. */
export const row = (id: string): HTMLElement => {
  const found = within(list())
    .getAllByRole('row')
    .find((each) => each.getAttribute('data-key') === id);
  if (!found) throw new Error(`no row ${id}`);
  return found;
};

/** Presses a button. */
export const press = (name: string | RegExp, inside: HTMLElement = document.body): void =>
  void fireEvent.click(within(inside).getByRole('button', { name }));

/** The bar with the unsaved changes; null without changes. */
export const bar = (): HTMLElement | null => screen.queryByRole('region', { name: 'Unsaved changes' });

import { describe, expect, it } from '@jest/globals';
import { act, fireEvent, screen, within } from '@testing-library/react';
import {
  accessibilityFaults,
  CREATOR,
  fakeServer,
  GALLERY_ITEM,
  never,
  pass,
  refusal,
  renderPage,
  press,
  onPage,
} from '../../../../test/page.js';
import { GalleryGrid } from './gallery-grid.js';

const GALLERY = 'get_gallery_generations_public';

describe('GalleryGrid', () => {
  onPage();

  const open = async (answer: unknown) => {
    const server = fakeServer({ [GALLERY]: answer });
    await renderPage(<GalleryGrid creator={CREATOR} title="GALLERY" />, '/junoabara');
    return server;
  };

  it('[F2.34] shows a spinner while the gallery loads', async () => {
    await open(never);
    expect(screen.getByRole('status').textContent).toBe('Loading gallery');
    expect(screen.getByRole('heading', { name: 'GALLERY' }).querySelector('.lucide-loader-circle')).not.toBeNull();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('[F2.34, F8.04] shows why the gallery could not be loaded, and retries', async () => {
    const server = await open(refusal(404, 'Rate limit exceeded. Please try again in 30 seconds.'));
    const alert = screen.getByRole('alert');
    expect(alert.textContent).toContain('The gallery could not be loaded');
    expect(alert.textContent).toContain('Rate limit exceeded. Please try again in 30 seconds.');
    server.answer({ [GALLERY]: [GALLERY_ITEM] });
    await press('Retry', 10);
    expect(screen.getByRole('link', { name: GALLERY_ITEM.prompt })).toBeTruthy();
  });

  it('has no accessibility faults when the gallery could not be loaded', async () => {
    await open(refusal(404, 'Not found'));
    expect(screen.getByRole('alert')).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('[F2.35] shows that the gallery is empty', async () => {
    await open([]);
    expect(screen.getByText('No gallery items yet. Check back later!')).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('[F2.36] shows the prompt of a picture that cannot be loaded, blames no generation, and tries again', async () => {
    await open([GALLERY_ITEM]);
    await pass(100);
    const picture = () => screen.getByRole('img', { name: GALLERY_ITEM.prompt });
    fireEvent.error(picture());
    const tile = within(screen.getByRole('listitem'));
    expect(tile.getByRole('status').textContent).toBe('The image could not be loaded');
    expect(tile.getAllByText(GALLERY_ITEM.prompt)).not.toHaveLength(0);
    expect(await accessibilityFaults()).toEqual([]);
    const again = tile.getByRole('button', { name: 'Try again' });
    act(() => again.focus());
    fireEvent.click(again);
    expect(again.getAttribute('aria-busy')).toBe('true');
    fireEvent.error(picture());
    expect(again.getAttribute('aria-busy')).toBeNull();
    fireEvent.click(again);
    fireEvent.load(picture());
    expect(tile.queryByRole('button')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('link'));
  });
});

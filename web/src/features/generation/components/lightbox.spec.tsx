import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { onPage, PICTURE, press, pressKey, renderPage } from '../../../../test/page.js';
import { Lightbox } from './lightbox.js';

const picture = (prompt: string) => ({ id: prompt, image: PICTURE, prompt });

/** The picture of a page whose gallery arrives later. */
function Picture(): React.ReactNode {
  const [gallery, setGallery] = useState([picture('a boat')]);
  return (
    <>
      <button type="button" onClick={() => setGallery(['a fox', 'an owl', 'a boat'].map(picture))}>
        Load
      </button>
      <Lightbox pictures={gallery} start={gallery.length - 1} onMove={() => undefined} onDownload={() => undefined}>
        <button type="button">Open</button>
      </Lightbox>
    </>
  );
}

onPage();

it('opens with the picture of the page when the gallery arrives after it', async () => {
  await renderPage(<Picture />);
  await press('Load');
  await press('Open');
  screen.getByRole('dialog', { name: 'a boat' });
  expect(screen.getByRole('status').textContent).toBe('');
  await pressKey('ArrowLeft');
  expect(screen.getByRole('status').textContent).toBe('Picture 2 of 3: an owl');
});

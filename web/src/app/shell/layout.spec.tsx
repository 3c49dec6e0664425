import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { Route, Routes } from 'react-router-dom';
import { shownToasts } from '../../components/toast.js';
import { useSaysOffline } from '../../lib/offline-said.js';
import { endPage, fakeServer, renderPage, startPage } from '../../../test/page.js';
import { Layout } from './layout.js';

/** A page with a part that says itself that the browser is offline, until it is closed. */
function SpeakingPage(): React.ReactNode {
  const [says, setSays] = useState(true);
  useSaysOffline(says);
  return <button onClick={() => setSays(false)}>Close</button>;
}

describe('Layout', () => {
  let online: { mockReturnValue: (is: boolean) => unknown; mockRestore: () => void };
  beforeEach(() => {
    startPage();
    online = jest.spyOn(navigator, 'onLine', 'get');
  });
  afterEach(() => {
    online.mockRestore();
    endPage();
  });

  const open = async (page: React.ReactNode): Promise<void> => {
    fakeServer({ get_public_creators: [] });
    await renderPage(
      <Routes>
        <Route element={<Layout />}>
          <Route path="*" element={page} />
        </Route>
      </Routes>,
      '/faq',
      '*',
    );
  };
  const become = (is: boolean): void => {
    online.mockReturnValue(is);
    act(() => void window.dispatchEvent(new Event(is ? 'online' : 'offline')));
  };
  const titles = (): string[] => shownToasts().map(({ title }) => title);

  it('shows that the browser is offline, from the loss of the connection to its return', async () => {
    online.mockReturnValue(true);
    await open(<p>A page</p>);
    expect(titles()).toEqual([]);
    become(false);
    expect(titles()).toEqual(['You are offline.']);
    become(true);
    expect(titles()).toEqual([]);
  });

  it('leaves the message to a page that shows it itself', async () => {
    online.mockReturnValue(false);
    await open(<SpeakingPage />);
    expect(titles()).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(titles()).toEqual(['You are offline.']);
  });
});

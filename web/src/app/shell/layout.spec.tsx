import { describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { Route, Routes } from 'react-router-dom';
import { shownToasts } from '../../components/toast.js';
import { useSaysOffline } from '../../lib/offline-said.js';
import { asVisitor, fakeServer, renderPage, onPage } from '../../../test/page.js';
import { Layout } from './layout.js';

/** A page with a part that says itself that the browser is offline, until it is closed. */
function SpeakingPage(): React.ReactNode {
  const [says, setSays] = useState(true);
  useSaysOffline(says);
  return <button onClick={() => setSays(false)}>Close</button>;
}

describe('Layout', () => {
  let online: { mockReturnValue: (is: boolean) => unknown; mockRestore: () => void };
  onPage(() => (online = jest.spyOn(navigator, 'onLine', 'get')));

  const open = async (page: React.ReactNode, address = '/faq') => {
    fakeServer({ get_public_creators: [] });
    return renderPage(
      <Routes>
        <Route element={<Layout />}>
          <Route path="*" element={page} />
        </Route>
      </Routes>,
      address,
      '*',
    );
  };
  const become = (is: boolean): void => {
    online.mockReturnValue(is);
    act(() => void window.dispatchEvent(new Event(is ? 'online' : 'offline')));
  };
  const titles = (): string[] => shownToasts().map(({ title }) => title);

  it.each([
    ['/faq', true],
    ['/sign-up', false],
    ['/junoabara/generate', false],
  ])('[F2.15] has one header, main part and footer at %s, and padding above: %s', async (address, padded) => {
    await open(<p>A page</p>, address);
    for (const part of ['banner', 'main', 'contentinfo']) expect(screen.getAllByRole(part)).toHaveLength(1);
    expect(/\bpt-/.test(screen.getByRole('main').className)).toBe(padded);
  });

  it('[F2.12, F2.22] links to the creator portal and the four static pages in the footer', async () => {
    await open(<p>A page</p>);
    const footer = within(screen.getByRole('contentinfo'));
    expect(footer.getByText(/^© \d{4} Fanvas$/)).toBeTruthy();
    expect(footer.getAllByRole('link').map((link) => `${link.textContent} ${link.getAttribute('href')}`)).toEqual([
      'Earn with your likeness /creator',
      'FAQ /faq',
      'Community Guidelines /community-guidelines',
      'Terms of Use /termsofuse',
      'Privacy Policy /privacypolicy',
    ]);
  });

  describe('offer', () => {
    const offer = (): HTMLElement | null => screen.queryByRole('region', { name: 'Offer' });

    it('[F2.23] invites a visitor to sign up for 30 free credits, with the way back', async () => {
      asVisitor();
      const router = await open(<p>A page</p>);
      expect(offer()?.textContent).toContain('30 free credits');
      await act(async () => void fireEvent.click(within(offer()!).getByRole('link', { name: 'Sign up' })));
      expect(router.state.location).toMatchObject({
        pathname: '/sign-up',
        state: { returnTo: '/faq', previousState: null },
      });
    });

    it('[F2.24] stays away once a visitor has dismissed it, also on the next visit', async () => {
      asVisitor();
      await open(<p>A page</p>);
      fireEvent.click(screen.getByRole('button', { name: 'Dismiss the offer' }));
      expect([offer(), window.localStorage.getItem('promo-banner-dismissed')]).toEqual([null, 'true']);
      cleanup();
      await open(<p>A page</p>);
      expect(offer()).toBeNull();
    });

    it('[F2.23] stays away from a fan', async () => {
      await open(<p>A page</p>);
      expect(offer()).toBeNull();
    });
  });

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

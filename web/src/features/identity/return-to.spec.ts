import { afterEach, describe, expect, it } from '@jest/globals';
import type { Location } from 'react-router-dom';
import { destinationOf, forgetDestination, recall } from './return-to.js';

const values = new Map<string, string>();
Object.assign(globalThis, {
  window: {
    sessionStorage: {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => void values.set(key, value),
      removeItem: (key: string) => void values.delete(key),
    },
  },
});

const at = (search: string, state: unknown = null): Location => ({
  pathname: '/sign-in',
  search,
  hash: '',
  key: 'k',
  state,
});

afterEach(forgetDestination);

describe('destinationOf', () => {
  it('[F2.09] returns the home page by default', () => {
    expect(destinationOf(at(''))).toEqual({ to: '/', state: null });
  });

  it('[F2.09, F2.13] returns returnTo with the state of that page, before redirect_url', () => {
    const state = { returnTo: '/junoabara', prompt: 'a tiger', previousState: { prompt: 'a tiger', creatorId: '1' } };
    expect(destinationOf(at('?redirect_url=/credits', state))).toEqual({
      to: '/junoabara',
      state: { prompt: 'a tiger', creatorId: '1' },
    });
    expect(destinationOf(at('?redirect_url=/credits'))).toEqual({ to: '/credits', state: null });
  });

  it('[F2.13] keeps the query of the page that redirected', () => {
    expect(destinationOf(at('', { returnTo: '/payment-success?session_id=cs_1' })).to).toBe(
      '/payment-success?session_id=cs_1',
    );
  });

  it('[F5.07] removes tags from the address and from the navigation state', () => {
    expect(destinationOf(at('?redirect_url=/credits%3Cb%3E')).to).toBe('/credits');
    expect(destinationOf(at('', { returnTo: '/junoabara', previousState: { prompt: 'a <b>fox</b>' } })).state).toEqual({
      prompt: 'a fox',
    });
  });

  it('keeps the destination over a reload and from sign-in to sign-up', () => {
    const first = destinationOf(at('', { returnTo: '/junoabara', prompt: 'a tiger' }));
    expect(recall()).toEqual(first);
    expect(destinationOf(at(''))).toEqual(first);
    expect(destinationOf(at('?redirect_url=%2Fjunoabara'))).toEqual(first);
  });

  it('[F2.09, F2.10] never leaves the site', () => {
    expect(destinationOf(at('?redirect_url=//evil.example')).to).toBe('/');
    expect(destinationOf(at('', { returnTo: 'https://evil.example' })).to).toBe('/');
    values.set('fanvas.return-to', JSON.stringify({ to: '//evil.example', state: null }));
    expect(recall()?.to).toBe('/');
  });
});

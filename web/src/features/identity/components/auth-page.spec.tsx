import { afterEach, describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { asFan, asVisitor, renderPage, onPage } from '../../../../test/page.js';
import { forgetDestination } from '../return-to.js';
import { AuthPage } from './auth-page.js';

const CONFIG = { clerkPublishableKey: 'pk_test_Y2xlcmsuZXhhbXBsZS5jb20k', clerkProxyUrl: null, styleNonce: 'n' };

describe('AuthPage', () => {
  onPage(() => {
    document.body.innerHTML = `<script id="fanvas-config" type="application/json">${JSON.stringify(CONFIG)}</script>`;
  });
  afterEach(() => forgetDestination());

  const open = async (address: string, state: unknown = null) => {
    const kind = address.startsWith('/sign-up') ? 'sign-up' : 'sign-in';
    const router = await renderPage(<AuthPage kind={kind} title="Sign in" />, address, undefined, state);
    return router.state.location;
  };

  it.each([
    ['/sign-in', '/'],
    ['/sign-in?redirect_url=%2Fcredits%3Ffrom%3Dmail', '/credits?from=mail'],
    ['/sign-up?redirect_url=%2Ffaq', '/faq'],
    ['/sign-in?redirect_url=%2F%5Cevil.example', '/'],
  ])('[F2.09, F2.10] redirects a signed-in fan from %s to %s', async (from, to) => {
    asFan();
    const { pathname, search } = await open(from);
    expect(pathname + search).toBe(to);
  });

  it.each([
    ['/credits', 'Sign in to view your credits'],
    ['/purchase-credits', 'Sign in to purchase credits'],
    ['/payment-success?session_id=cs_test_x', 'Sign in to see your payment'],
  ])('[F2.61, F2.65] says why a visitor who comes from %s must sign in', async (returnTo, reason) => {
    asVisitor();
    expect(await open('/sign-in', { returnTo, previousState: null })).toMatchObject({ pathname: '/sign-in' });
    expect(screen.getByText(reason)).toBeTruthy();
    expect(document.querySelector('[data-auth-widget]')).not.toBeNull();
  });
});

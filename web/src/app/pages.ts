import type { ComponentType } from 'react';
import type { Access } from '../../../src/contract/roles.js';
import type { PageCode } from './page-code.js';

/** A page of the route table. Its code is a chunk of its own. */
export interface PageRoute {
  readonly path: string;
  readonly load: () => Promise<{ default: ComponentType; code?: PageCode }>;
  /**
   * `user` redirects visitors to /sign-in, which returns them afterwards. `admin` also redirects other users to /, and
   * requests the code only after the server has confirmed the role; so do `auditor` and `finance`. Admins may see the
   * pages of finance.
   */
  readonly access?: Exclude<Access, 'public'>;
}

/** Pages with a path of their own. */
export const pages: readonly PageRoute[] = [
  { path: '/', load: () => import('../features/creators/home-page.js') },
  { path: '/sign-in/*', load: () => import('../features/identity/sign-in-page.js') },
  { path: '/sign-up/*', load: () => import('../features/identity/sign-up-page.js') },
  { path: '/oauth/callback', load: () => import('../features/identity/oauth-callback-page.js') },
  { path: '/my-creations', load: () => import('./pages/my-creations-page.js'), access: 'user' },
  { path: '/credits', load: () => import('./pages/credits-page.js'), access: 'user' },
  { path: '/account', load: () => import('../features/account/account-page.js'), access: 'user' },
  { path: '/closed-account', load: () => import('../features/account/closed-account-page.js') },
  { path: '/purchase-credits', load: () => import('./pages/purchase-page.js'), access: 'user' },
  { path: '/payment-success', load: () => import('./pages/payment-success-page.js'), access: 'user' },
  { path: '/payment-canceled', load: () => import('../features/payments/payment-canceled-page.js'), access: 'user' },
  { path: '/creator', load: () => import('./pages/creator-portal-page.js') },
  {
    path: '/creator/terms-acceptance',
    load: () => import('./pages/terms-acceptance-page.js'),
    access: 'user',
  },
  {
    path: '/generation/:generationId',
    load: () => import('../features/generation/generation-redirect-page.js'),
    access: 'user',
  },
  {
    path: '/creator/statement/:month',
    load: () => import('../features/creator-dashboard/statement-page.js'),
    access: 'user',
  },
  {
    path: '/creator/payouts/:payoutId',
    load: () => import('../features/creator-dashboard/payout-statement-page.js'),
    access: 'user',
  },
  { path: '/admin/*', load: () => import('./admin-area.js'), access: 'admin' },
  { path: '/audit/verify', load: () => import('../features/audit/verify/verify-page.js') },
  { path: '/audit/*', load: () => import('./audit-area.js'), access: 'auditor' },
  { path: '/finance/*', load: () => import('./finance-area.js'), access: 'finance' },
  { path: '/faq', load: () => import('../features/help/faq-page.js') },
  { path: '/community-guidelines', load: () => import('../features/help/community-guidelines-page.js') },
  { path: '/creator-terms', load: () => import('../features/help/creator-terms-page.js') },
  { path: '/creator-requirements', load: () => import('../features/help/creator-requirements-page.js') },
  { path: '/termsofuse', load: () => import('../features/help/terms-of-use-page.js') },
  { path: '/privacypolicy', load: () => import('../features/help/privacy-policy-page.js') },
];

/** Pages below a creator's name; `username` is checked against the reserved segments first. */
export const creatorPages: readonly PageRoute[] = [
  { path: '/:username', load: () => import('./pages/creator-page.js') },
  { path: '/:username/generate', load: () => import('./pages/generate-entry-page.js'), access: 'user' },
  // Anyone with the link may look at a finished generation; the server decides.
  { path: '/:username/generate/:generationId', load: () => import('./pages/generation-page.js') },
];

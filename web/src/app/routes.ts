import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

type Load = () => Promise<{ default: ComponentType }>;

export interface PageRoute {
  readonly path: string;
  readonly load: Load;
  readonly Component: LazyExoticComponent<ComponentType>;
  /** Visitors are sent to /sign-in and come back. */
  readonly signedIn?: boolean;
}

function page(path: string, load: Load, options: { signedIn?: boolean } = {}): PageRoute {
  return { path, load, Component: lazy(load), ...options };
}

/** Pages with a path of their own. A menu or footer links only to what stands here (see {@link hasPage}). */
export const pages: readonly PageRoute[] = [
  page('/', () => import('../features/creators/home-page.js')),
  page('/sign-in/*', () => import('../features/identity/sign-in-page.js')),
  page('/sign-up/*', () => import('../features/identity/sign-up-page.js')),
  page('/oauth/callback', () => import('../features/identity/oauth-callback-page.js')),
  page('/my-creations', () => import('./pages/my-creations-page.js'), { signedIn: true }),
  page('/credits', () => import('./pages/credits-page.js'), { signedIn: true }),
  page('/purchase-credits', () => import('./pages/purchase-page.js'), { signedIn: true }),
  page('/payment-success', () => import('./pages/payment-success-page.js'), { signedIn: true }),
  page('/payment-canceled', () => import('../features/payments/payment-canceled-page.js'), { signedIn: true }),
  page('/generation/:generationId', () => import('../features/generation/generation-redirect-page.js'), {
    signedIn: true,
  }),
  page('/faq', () => import('../features/help/faq-page.js')),
  page('/community-guidelines', () => import('../features/help/community-guidelines-page.js')),
  page('/termsofuse', () => import('../features/help/terms-of-use-page.js')),
  page('/privacypolicy', () => import('../features/help/privacy-policy-page.js')),
];

/** Pages below a creator's name; `username` is checked against the reserved segments first. */
export const creatorPages: readonly PageRoute[] = [
  page('/:username', () => import('./pages/creator-page.js')),
  page('/:username/generate', () => import('./pages/generate-entry-page.js'), { signedIn: true }),
  // Anyone with the link may look at a finished generation; the server decides.
  page('/:username/generate/:generationId', () => import('./pages/generation-page.js')),
];

/** True when a page without parameters is registered under this path. */
export function hasPage(path: string): boolean {
  return pages.some((route) => route.path === path || route.path === `${path}/*`);
}

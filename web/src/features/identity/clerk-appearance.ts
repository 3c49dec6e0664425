import type { ClerkProviderProps } from '@clerk/react';

/**
 * Styles Clerk's widgets with our design tokens. Tokens are CSS variables, so both themes work. clerk.css has the rest.
 */
export const clerkAppearance: NonNullable<ClerkProviderProps['appearance']> = {
  variables: {
    colorPrimary: 'var(--inverse)',
    colorPrimaryForeground: 'var(--on-inverse)',
    colorBackground: 'var(--surface)',
    colorForeground: 'var(--text)',
    colorMuted: 'var(--hover)',
    colorMutedForeground: 'var(--text-2)',
    colorInput: 'var(--bg)',
    colorInputForeground: 'var(--text)',
    colorNeutral: 'var(--text)',
    colorBorder: 'var(--line-strong)',
    colorRing: 'var(--focus)',
    colorDanger: 'var(--bad)',
    colorSuccess: 'var(--good)',
    colorWarning: 'var(--warn)',
    fontFamily: 'var(--font-text)',
    fontFamilyButtons: 'var(--font-text)',
    fontSize: '0.9375rem',
    borderRadius: '12px',
  },
  elements: {
    cardBox: { boxShadow: 'none', border: '1px solid var(--line)', borderRadius: '16px' },
    card: { boxShadow: 'none', border: 'none', background: 'var(--surface)' },
    headerTitle: {
      fontFamily: 'var(--font-display)',
      fontStretch: 'var(--display-stretch)',
      fontWeight: 600,
      fontSize: '2rem',
      letterSpacing: 'var(--display-track-sm)',
      lineHeight: 1,
    },
    headerSubtitle: { color: 'var(--text-2)', fontSize: '1rem' },
    formFieldLabel: { fontSize: '0.875rem', fontWeight: 560 },
    formButtonPrimary: { height: '48px', fontSize: '1rem', fontWeight: 600, border: 'none', textTransform: 'none' },
    footer: { background: 'transparent' },
    footerActionText: { fontSize: '0.875rem' },
    footerActionLink: { fontSize: '0.875rem', color: 'var(--seal-text)' },
    formResendCodeLink: { color: 'var(--seal-text)' },
    identityPreviewEditButton: { color: 'var(--seal-text)' },
    formFieldAction: { color: 'var(--seal-text)' },
  },
};

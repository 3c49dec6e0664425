import { Link } from 'react-router-dom';
import { EARN } from '../../features/creators/earn.js';
import { currentYear } from '../../lib/current-year.js';
import type { PageAddress } from '../../../../src/contract/paths.js';

/** Not in menu-items.ts: its icons would become part of the landing page. */
const links: readonly { readonly to: PageAddress; readonly label: string }[] = [
  { to: '/creator', label: EARN },
  { to: '/faq', label: 'FAQ' },
  { to: '/community-guidelines', label: 'Community Guidelines' },
  { to: '/termsofuse', label: 'Terms of Use' },
  { to: '/privacypolicy', label: 'Privacy Policy' },
];

export function Footer(): React.ReactNode {
  return (
    <footer className="mt-16 border-t border-line above-foot-bar pb-[var(--foot-bar,0px)] sm:mt-24">
      <div className="wrap flex flex-col gap-1 py-7 text-14 text-ink-2 sm:min-h-20 sm:flex-row sm:items-center sm:justify-between">
        {/* A page that was drawn last year is hydrated without a warning. */}
        <p suppressHydrationWarning className="shrink-0">
          © {currentYear()} Fanvas
        </p>
        {links.length > 0 && (
          <nav aria-label="About Fanvas">
            <ul className="flex flex-wrap gap-x-5 sm:gap-x-7">
              {links.map(({ to, label }) => (
                <li key={to}>
                  <Link to={to} className="inline-flex min-h-7 items-center hover:text-ink">
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </div>
    </footer>
  );
}

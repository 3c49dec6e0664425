import { ArrowLeft } from 'lucide-react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { useHydrated } from '../../../lib/first-draw.js';
import { arrivingAt } from '../../../lib/return-place.js';
import { generationNavState } from '../navigation.js';

const LOOK = '-ml-2 inline-flex h-10 items-center gap-3 rounded-ctl px-2 text-14 text-ink-2 hover:text-ink';

/** Back to `returnTo` of the navigation state, else one step back on this site, else to the home page. */
export function BackLink(): React.ReactNode {
  const location = useLocation();
  const navigate = useNavigate();
  const hydrated = useHydrated();
  const { returnTo, returnPlace } = generationNavState(location.state);
  const label = (
    <>
      <ArrowLeft aria-hidden className="size-[18px]" />
      Back
    </>
  );
  if (returnTo === undefined && hydrated && hasPageBefore()) {
    return (
      <button type="button" className={LOOK} onClick={() => void navigate(-1)}>
        {label}
      </button>
    );
  }
  return (
    <Link to={returnTo ?? '/'} state={returnPlace && arrivingAt(returnPlace)} className={LOOK}>
      {label}
    </Link>
  );
}

/** True when a step back in the history leads to a page of this site. */
function hasPageBefore(): boolean {
  // The router numbers its entries. The page before the first one is another document: a link loads one when it is
  // pressed before the code of its page runs. A new tab has no page before it.
  const { idx = 0 } = (window.history.state ?? {}) as { readonly idx?: number };
  if (idx > 0) return true;
  return window.history.length > 1 && document.referrer.startsWith(`${window.location.origin}/`);
}

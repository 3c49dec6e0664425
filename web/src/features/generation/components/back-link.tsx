import { ArrowLeft } from 'lucide-react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { useHydrated } from '../../../lib/first-draw.js';
import { arrivingAt } from '../../../lib/return-place.js';
import { generationNavState } from '../navigation.js';

const LOOK = '-ml-2 inline-flex h-10 items-center gap-3 rounded-ctl px-2 text-14 text-ink-2 hover:text-ink';

/** Back to `returnTo` of the navigation state, else one step back in the history, else to the home page. */
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
  // The router numbers its entries. At the first one, a step back would leave the site.
  const entry = hydrated ? (window.history.state as { readonly idx?: number } | null) : null;
  if (returnTo === undefined && (entry?.idx ?? 0) > 0) {
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

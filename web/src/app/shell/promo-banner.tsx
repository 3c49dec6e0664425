import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { useViewer } from '../../lib/auth.js';
import { useHydrated } from '../../lib/first-draw.js';
import { localStore } from '../../lib/storage.js';
import { leaveVisitorHint } from '../../lib/visitor-hint.js';
import { IconButton } from '../../components/button.js';
import { useWayBack } from '../../lib/way-back.js';

const KEY = 'promo-banner-dismissed';

/** The sign-up offer for visitors. Hidden while loading when this browser was signed in before. */
export function PromoBanner(): React.ReactNode {
  const { status, expectSignedIn } = useViewer();
  const hydrated = useHydrated();
  const [dismissedNow, setDismissed] = useState(false);
  const dismissed = dismissedNow || (hydrated && localStore.get(KEY) === 'true');
  const settled = status !== 'loading' || (dismissed && !expectSignedIn);
  const hint = status === 'signed-in' ? 'known' : dismissed ? 'no-offer' : null;
  useEffect(() => {
    if (settled) leaveVisitorHint(hint);
  }, [settled, hint]);
  const back = useWayBack();
  if (dismissed || status === 'signed-in' || (status === 'loading' && expectSignedIn)) return null;

  return (
    <section aria-label="Offer" data-offer className="border-b border-line bg-surface">
      <div className="wrap flex min-h-[60px] items-center justify-between gap-4 py-1 text-14 sm:min-h-[52px]">
        <p>
          Sign up for <strong className="font-[640]">30 free credits.</strong>{' '}
          <span className="hidden text-ink-2 sm:inline">Enough for your first three images.</span>
        </p>
        <div className="-mr-2.5 flex items-center gap-2 sm:gap-4 noscript:mr-0">
          <Link
            to="/sign-up"
            state={back}
            className="inline-flex min-h-6 items-center whitespace-nowrap font-[600] text-seal-text underline underline-offset-4 hover:no-underline"
          >
            Sign up
          </Link>
          <IconButton
            label="Dismiss the offer"
            onClick={() => {
              localStore.set(KEY, 'true');
              setDismissed(true);
            }}
          >
            <X className="size-[18px]" />
          </IconButton>
        </div>
      </div>
    </section>
  );
}

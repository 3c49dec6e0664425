import { Hourglass } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLimitedUntil } from '../lib/limited.js';
import { Banner } from './badge.js';

/** Counts down while the server refuses requests because there were too many. The page then loads by itself. */
export function TooFast({ className }: { readonly className?: string }): React.ReactNode {
  const until = useLimitedUntil();
  return until !== null && <Countdown key={until} until={until} className={className} />;
}

function Countdown({ until, className }: { readonly until: number; readonly className: string | undefined }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const remainingSeconds = Math.max(0, Math.ceil((until - now) / 1000));
  return (
    <div className={className}>
      <Banner tone="warn" icon={<Hourglass aria-hidden />}>
        <span role="status">
          <b className="font-[600]">Rate limit exceeded.</b> Please try again in a moment.
        </span>{' '}
        <span className="tabular-nums">
          Again in {Math.floor(remainingSeconds / 60)}:{String(remainingSeconds % 60).padStart(2, '0')}.
        </span>
      </Banner>
    </div>
  );
}

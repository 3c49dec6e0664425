import { Hourglass, Lock, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Banner } from '../badge.js';
import { ApiError } from '../../lib/api.js';
import { queryClient } from '../../lib/query.js';
import { formatUtcTime } from './utc.js';

/** Wait after a refusal that does not say how long to wait, seconds. */
const DEFAULT_WAIT_S = 60;

/** Refusals of the server that concern all requests of the area. Times are milliseconds since 1970. */
export interface Trouble {
  /** When requests may be sent again, after too many of them. */
  readonly limitedUntil: number | null;
  /** When the server said that this person has lost the role of the area. */
  readonly roleLostAt: number | null;
}

interface NoticesProps extends Trouble {
  /** The refusal of people without the role. */
  readonly roleRefusal: string;
}

/** The bars below the header: no connection, too many requests, a role that was taken away. Reading goes on. */
export function Notices({ limitedUntil, roleLostAt, roleRefusal }: NoticesProps): React.ReactNode {
  const offlineSince = useOfflineSince();
  return (
    <div className="wrap [&>*]:mt-3">
      {offlineSince !== null && (
        <div role="status">
          <Banner tone="warn" icon={<WifiOff aria-hidden />}>
            <b className="font-[600]">You are offline.</b> What you see is from{' '}
            {formatUtcTime(offlineSince).slice(0, 5)} UTC. Changes wait until the connection is back.
          </Banner>
        </div>
      )}
      {limitedUntil !== null && <TooFast key={limitedUntil} until={limitedUntil} />}
      {roleLostAt !== null && (
        <div role="alert">
          <Banner tone="bad" icon={<Lock aria-hidden />}>
            <b className="block font-[600]">{roleRefusal}</b>
            Your role does not allow this any more ({formatUtcTime(roleLostAt)} UTC). What you see stays; ask an admin
            to go on.
          </Banner>
        </div>
      )}
    </div>
  );
}

function TooFast({ until }: { readonly until: number }): React.ReactNode {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const left = Math.ceil((until - now) / 1000);
  if (left <= 0) return null;
  return (
    <div>
      <Banner tone="warn" icon={<Hourglass aria-hidden />}>
        <span role="status">
          <b className="font-[600]">Rate limit exceeded.</b> Please try again in a moment.
        </span>{' '}
        <span className="tabular-nums">
          Again in {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}.
        </span>
      </Banner>
    </div>
  );
}

/** The latest refusals of requests of the area that concern all of them. A lost role comes back with a reload only. */
export function useTrouble(roleRefusal: string): Trouble {
  const [limitedUntil, setLimitedUntil] = useState<number | null>(null);
  const [roleLostAt, setRoleLostAt] = useState<number | null>(null);
  useEffect(() => {
    const look = (error: unknown): void => {
      if (!(error instanceof ApiError)) return;
      if (error.status === 429) {
        setLimitedUntil(Date.now() + (error.retryAfter ?? DEFAULT_WAIT_S) * 1000);
      } else if (error.status === 403 && error.message === roleRefusal) {
        setRoleLostAt((before) => before ?? Date.now());
      }
    };
    const stops = [
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated') return;
        if (event.action.type === 'error' || event.action.type === 'failed') look(event.action.error);
      }),
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error') look(event.action.error);
      }),
    ];
    return () => stops.forEach((stop) => stop());
  }, [roleRefusal]);
  return { limitedUntil, roleLostAt };
}

/** When the connection was lost, milliseconds since 1970; null while there is one. */
function useOfflineSince(): number | null {
  const [since, setSince] = useState(() => (navigator.onLine ? null : Date.now()));
  useEffect(() => {
    const change = (): void => setSince(navigator.onLine ? null : Date.now());
    window.addEventListener('online', change);
    window.addEventListener('offline', change);
    return () => {
      window.removeEventListener('online', change);
      window.removeEventListener('offline', change);
    };
  }, []);
  return since;
}

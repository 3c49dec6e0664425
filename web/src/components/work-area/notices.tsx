import { Lock, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Banner } from '../badge.js';
import { TooFast } from '../too-fast.js';
import { ApiError } from '../../lib/api.js';
import { queryClient } from '../../lib/query.js';
import { formatUtcTime } from './utc.js';
import { problemOf } from '../../lib/problem-of.js';

interface NoticesProps {
  /** When the server said that this person has lost the role of the area, milliseconds since 1970. */
  readonly roleLostAt: number | null;
  /** The refusal of people without the role. */
  readonly roleRefusal: string;
}

/** The bars below the header: no connection, too many requests, a role that was taken away. Reading goes on. */
export function Notices({ roleLostAt, roleRefusal }: NoticesProps): React.ReactNode {
  const offlineSince = useOfflineSince();
  return (
    <div className="wrap [&>*]:mt-3">
      {offlineSince !== null && (
        <div role="status">
          <Banner tone="warn" icon={<WifiOff aria-hidden />}>
            <b className="font-[600]">You are offline.</b>{' '}
            <span>
              What you see is from {formatUtcTime(offlineSince).slice(0, 5)} UTC. Changes wait until the connection is
              back.
            </span>
          </Banner>
        </div>
      )}
      <TooFast className="limit-in-page" />
      {roleLostAt !== null && (
        <div role="alert">
          <Banner tone="bad" icon={<Lock aria-hidden />}>
            <b className="block font-[600]">{roleRefusal}</b>
            <span>
              Your role does not allow this any more ({formatUtcTime(roleLostAt)} UTC). What you see stays; ask an admin
              to go on.
            </span>
          </Banner>
        </div>
      )}
    </div>
  );
}

/**
 * When the server last refused a request of the area because the role is gone, milliseconds since 1970. The role comes
 * back with a reload only.
 */
export function useRoleLostAt(roleRefusal: string): number | null {
  const [roleLostAt, setRoleLostAt] = useState<number | null>(null);
  useEffect(() => {
    const look = (error: unknown): void => {
      if (!(error instanceof ApiError) || error.status !== 403 || problemOf(error) !== roleRefusal) return;
      setRoleLostAt((before) => before ?? Date.now());
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
  return roleLostAt;
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

import { useEffect, useState } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { Skeleton } from '../../components/ui/skeleton.js';
import { ErrorState } from '../../components/ui/states.js';
import { useViewer } from '../../lib/auth.js';
import { fanvasConfig } from '../../lib/config.js';
import { AuthWidget, type AuthWidgetKind } from './auth-slot.js';
import { DemoAccounts } from './demo-accounts.js';
import { destinationOf, forgetDestination } from './return-to.js';

/** Clerk's widget with its frame; who is signed in already is sent on. */
export function AuthPage({ kind, title }: { kind: AuthWidgetKind; title: string }): React.ReactNode {
  const location = useLocation();
  const [destination] = useState(() => destinationOf(location));
  const { status, unavailable } = useViewer();
  const { demo } = fanvasConfig();

  if (status === 'signed-in') return <SendOn to={destination.to} state={destination.state} />;
  return (
    <div className="wrap flex min-h-[calc(100svh-160px)] flex-col items-center justify-center gap-4 py-8 md:flex-row md:items-start md:justify-center md:gap-6 md:py-16">
      <title>{`${title} · Fanvas`}</title>
      <h1 className="sr-only">{title}</h1>
      <div className="grid w-full max-w-[420px]">
        {unavailable ? (
          <ErrorState title="Sign-in is not available" retryLabel="Reload" onRetry={() => window.location.reload()}>
            The identity service could not be reached. Check your connection and reload this page.
          </ErrorState>
        ) : (
          <>
            <div className="col-start-1 row-start-1" aria-busy={status === 'loading'}>
              {status === 'loading' && <Skeleton className="h-[420px] rounded-panel" />}
            </div>
            <div className="col-start-1 row-start-1">
              <AuthWidget kind={kind} destination={destination} />
            </div>
          </>
        )}
      </div>
      {demo && <DemoAccounts demo={demo} canFill={kind === 'sign-in'} />}
    </div>
  );
}

function SendOn({ to, state }: { to: string; state: unknown }): React.ReactNode {
  useEffect(() => forgetDestination, []);
  return <Navigate to={to} replace state={state} />;
}

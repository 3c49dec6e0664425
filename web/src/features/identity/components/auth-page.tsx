import '../clerk.css';
import { useEffect, useState } from 'react';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { IdentityWait } from '../../../components/identity-wait.js';
import { Skeleton } from '../../../components/skeleton.js';
import { ErrorState } from '../../../components/states.js';
import { useViewer } from '../../../lib/auth.js';
import { fanvasConfig } from '../../../lib/config.js';
import { cx } from '../../../lib/cx.js';
import { AuthWidget, type AuthWidgetKind, useWidgetsMissing } from './auth-slot.js';
import { DemoAccounts } from './demo-accounts.js';
import { type Destination, destinationOf, forgetDestination } from '../return-to.js';

/** Reasons shown to visitors that a page redirected here. */
const REASONS: Partial<Record<string, string>> = {
  '/credits': 'Sign in to view your credits',
  '/purchase-credits': 'Sign in to purchase credits',
  '/payment-success': 'Sign in to see your payment',
};

/**
 * The height of the form while the widget has none: until it is loaded, and from its last step to the next page, when
 * it keeps the height of that step.
 */
const SKELETON_HEIGHT: Record<'sign-in' | 'sign-up', string> = {
  'sign-in': 'h-(--widget-height,362px)',
  'sign-up': 'h-(--widget-height,461px) max-[430px]:h-(--widget-height,483px)',
};

/** Clerk's widget with its frame, which stays until the next page is there. Redirects people who are signed in. */
export function AuthPage({ kind, title }: { kind: 'sign-in' | 'sign-up'; title: string }): React.ReactNode {
  const location = useLocation();
  const [destination] = useState(() => destinationOf(location));
  const { status } = useViewer();
  const widgetsMissing = useWidgetsMissing();
  const { demo } = fanvasConfig();
  const reason =
    kind === 'sign-in'
      ? (REASONS[pathOf(destination)] ?? keptPrompt(kind, destination))
      : keptPrompt(kind, destination);

  const signedIn = status === 'signed-in';
  return (
    // The footer is out of sight: it would jump when the next step or page is drawn.
    <div className="wrap flex min-h-[calc(100svh-56px)] flex-col items-center gap-4 py-8 sm:min-h-[calc(100svh-64px)] md:gap-6 md:py-16">
      <title>{`${title} · Fanvas`}</title>
      <h1 className="sr-only">{title}</h1>
      {reason && <p className="text-center text-18 text-ink">{reason}</p>}
      <div className="flex w-full flex-col items-center gap-4 md:flex-row md:items-start md:justify-center md:gap-6">
        <div data-auth-frame className="group w-full max-w-[420px]">
          {!signedIn && widgetsMissing ? (
            <ErrorState title="Sign-in is not available" retryLabel="Reload" onRetry={() => window.location.reload()}>
              The identity service could not be reached. Check your connection and reload this page.
            </ErrorState>
          ) : (
            <>
              <div
                aria-hidden
                className={cx(
                  !signedIn &&
                    'hidden group-has-[[data-auth-widget]:empty]:block group-has-[[data-auth-widget]>:empty]:block',
                )}
              >
                <Skeleton className={cx('rounded-panel', SKELETON_HEIGHT[kind])} />
              </div>
              {signedIn ? (
                <SendOn to={destination.to} state={destination.state} />
              ) : (
                <AuthWidget kind={kind} destination={destination} />
              )}
              {status === 'loading' && <IdentityWait className="mt-4 text-center text-14 text-balance text-ink-2" />}
              {kind === 'sign-up' && <Terms />}
            </>
          )}
        </div>
        {demo && <DemoAccounts demo={demo} canFill={kind === 'sign-in'} />}
      </div>
    </div>
  );
}

/** The conditions of a sign-up: minimum age and terms. */
function Terms(): React.ReactNode {
  return (
    <p className="mt-4 text-center text-14 text-balance text-ink-2">
      You must be at least 13 years old. By signing up you accept the{' '}
      <Link to="/termsofuse" className="link">
        Terms of Use
      </Link>{' '}
      and the{' '}
      <Link to="/privacypolicy" className="link">
        Privacy Policy
      </Link>
      .
    </p>
  );
}

/** Text for visitors who wrote a prompt: it is kept. */
function keptPrompt(kind: AuthWidgetKind, { to, state }: Destination): string | undefined {
  const { prompt } = (state ?? {}) as { readonly prompt?: unknown };
  if (typeof prompt !== 'string' || prompt === '' || to.includes('/generate/')) return undefined;
  return `Sign ${kind === 'sign-up' ? 'up' : 'in'} to generate your image. Your prompt is kept.`;
}

function pathOf({ to }: Destination): string {
  return to.split(/[?#]/, 1)[0] ?? to;
}

function SendOn({ to, state }: { to: string; state: unknown }): React.ReactNode {
  useEffect(() => forgetDestination, []);
  return <Navigate to={to} replace state={state} />;
}

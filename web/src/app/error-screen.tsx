import { useEffect } from 'react';
import { Button } from '../components/button.js';
import { useSaysOffline } from '../lib/offline-said.js';
import { useOnline } from '../lib/use-online.js';
import { useWasTrue } from '../lib/use-was-true.js';
import { isChunkFailure, reloadOutdated } from './chunk-reload.js';

/** Shown in place of a broken page. Reloads once when the code of the page could not be fetched. */
export function ErrorScreen({ error }: { error: unknown }): React.ReactNode {
  const outdated = isChunkFailure(error);
  // Once the browser is online again, the page is reloaded.
  const wasOffline = useWasTrue(!useOnline());
  const offline = wasOffline && outdated;
  useSaysOffline(offline);
  useEffect(() => (outdated ? reloadOutdated() : undefined), [outdated]);

  const title = offline ? 'You are offline' : 'Something went wrong';
  return (
    <div className="wrap flex min-h-[60svh] flex-col items-start justify-center py-16" role="alert">
      <title>{`${title} · Fanvas`}</title>
      <h1 className="display text-64 sm:text-96">{title}</h1>
      <p className="mt-4 max-w-[52ch] text-18 text-ink-2">
        {offline ? (
          'This page was not loaded before. It opens by itself once the connection is back. Nothing you did is lost.'
        ) : (
          <span>
            {outdated
              ? 'A part of this page could not be loaded. It may have been updated, or the connection was lost.'
              : 'This page could not be shown. Nothing you did is lost: credits and images are kept on our side.'}{' '}
            Reload it; if that does not help, go back and try again in a minute.
          </span>
        )}
      </p>
      <div className="mt-8 flex flex-wrap gap-2">
        <Button kind="solid" size={48} onClick={() => window.location.reload()}>
          Reload
        </Button>
        <Button size={48} onClick={() => window.location.assign('/')}>
          Back to Discovery
        </Button>
      </div>
    </div>
  );
}

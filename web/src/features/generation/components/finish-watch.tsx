import { useEffect, useSyncExternalStore } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { GenerationView } from '../../../../../src/contract/generation.js';
import { toast } from '../../../components/toast.js';
import type { CreditsListener } from '../credits-listener.js';
import { viewOf } from '../generation-view.js';
import { forgetRunning, runningPath, subscribeRunning } from '../navigation.js';
import { noteGenerationEnded } from '../api/has-active-pending-generation.js';
import { useFollowedGeneration } from '../use-followed-generation.js';

interface FinishWatchProps {
  readonly onCreditsChange: CreditsListener;
}

/** Follows the fan's running generation while they are on another page, and says there that it is finished. */
export default function FinishWatch({ onCreditsChange }: FinishWatchProps): React.ReactNode {
  const path = useSyncExternalStore(subscribeRunning, runningPath);
  useLocation(); // renders again after each navigation
  // The address is a render ahead of the router's location.
  if (path === null || window.location.pathname === path) return null;
  const id = /^\/[^/]+\/generate\/([^/]+)$/.exec(path)?.[1];
  return id === undefined ? null : (
    <Watch key={path} path={path} generationId={decodeURIComponent(id)} onCreditsChange={onCreditsChange} />
  );
}

interface WatchProps extends FinishWatchProps {
  readonly path: string;
  readonly generationId: string;
}

function Watch({ path, generationId, onCreditsChange }: WatchProps): React.ReactNode {
  const navigate = useNavigate();
  const { row, refusal } = useFollowedGeneration(generationId);
  useEffect(() => {
    if (refusal) forgetRunning(path);
    if (!row || viewOf(row, 0).pending) return undefined;
    return whenVisible(() => {
      void claim(path).then((first) => {
        if (!first) return;
        noteGenerationEnded();
        if (row.refunded) onCreditsChange('refund');
        tell(row, path, () => {
          const { pathname, search } = window.location;
          void navigate(path, { state: { returnTo: pathname + search } });
        });
      });
    });
  }, [navigate, onCreditsChange, path, refusal, row]);
  return null;
}

/** What the fan cancelled is no news to them. */
function tell(row: GenerationView, href: string, onClick: () => void): void {
  const view = viewOf(row, 0);
  if (view.state === 'cancelled') return;
  const description = view.creditsNote ?? row.prompt;
  toast({
    kind: view.state === 'completed' ? 'success' : 'info',
    title: view.headline,
    description: description.length > 120 ? `${description.slice(0, 119).trimEnd()}…` : description,
    action: { label: 'View', href, onClick },
  });
}

/** Of several tabs one says it: that which takes the memory of the generation away. */
async function claim(path: string): Promise<boolean> {
  // Only secure pages have locks.
  if (!('locks' in navigator)) return forgetRunning(path);
  return navigator.locks.request('fanvas.finished', () => forgetRunning(path));
}

/** Acts once the tab can be seen; returns how to call it off. */
function whenVisible(act: () => void): () => void {
  if (document.visibilityState === 'visible') {
    act();
    return () => undefined;
  }
  const look = (): void => {
    if (document.visibilityState !== 'visible') return;
    document.removeEventListener('visibilitychange', look);
    act();
  };
  document.addEventListener('visibilitychange', look);
  return () => document.removeEventListener('visibilitychange', look);
}

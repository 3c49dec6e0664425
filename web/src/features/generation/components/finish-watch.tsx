import { useEffect, useSyncExternalStore } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { GenerationView } from '../../../../../src/contract/generation.js';
import { toast } from '../../../components/toast.js';
import type { CreditsListener } from '../credits-listener.js';
import { toShownGeneration } from '../generation-view.js';
import { forgetRunning, runningPath, subscribeRunning } from '../navigation.js';
import { canNotify, endText, notifyOfEnd } from '../end-notification.js';
import { noteGenerationEnded } from '../api/has-active-pending-generation.js';
import { useFollowedGeneration } from '../../../lib/use-followed-generation.js';

interface FinishWatchProps {
  readonly onCreditsChange: CreditsListener;
}

/**
 * Follows the fan's running generation on other pages. Its end is shown as a toast, or outside the tab if the fan has
 * allowed it and does not see the tab.
 */
export function FinishWatch({ onCreditsChange }: FinishWatchProps): React.ReactNode {
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
    if (!row || toShownGeneration(row, 0).pending) return undefined;
    const open = (): void => {
      const { pathname, search } = window.location;
      void navigate(path, { state: { returnTo: pathname + search } });
    };
    const onFirst = (act: () => void): void => {
      void claim(path).then((first) => {
        if (!first) return;
        noteGenerationEnded();
        if (row.refunded) onCreditsChange('refund');
        act();
      });
    };
    if (canNotify()) {
      onFirst(() => {
        if (!notifyOfEnd(row, open)) announce(row, path, open);
      });
      return undefined;
    }
    return whenVisible(() => onFirst(() => announce(row, path, open)));
  }, [navigate, onCreditsChange, path, refusal, row]);
  return null;
}

/** Announces the end of a generation, except one that the fan cancelled. */
function announce(row: GenerationView, href: string, onClick: () => void): void {
  const text = endText(row);
  if (!text) return;
  const { title, description, completed } = text;
  toast({
    kind: completed ? 'success' : 'info',
    title,
    description,
    isQuote: completed,
    action: { label: 'View', href, onClick },
  });
}

/** True in one of several tabs only: the one that removes the stored path. */
async function claim(path: string): Promise<boolean> {
  // Locks exist in secure contexts only.
  if (!('locks' in navigator)) return forgetRunning(path);
  return navigator.locks.request('fanvas.finished', () => forgetRunning(path));
}

/** Acts once the tab is visible; returns a function that cancels it. */
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

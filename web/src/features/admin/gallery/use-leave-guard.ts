import { useEffect } from 'react';
import { useBlocker, type Blocker } from 'react-router-dom';

/** Most browsers show a text of their own (creator spec, section 4). */
const LEAVE_TEXT = 'You have unsaved changes. Are you sure you want to leave?';

/**
 * Blocks every way out of the page while there are unsaved changes: links, the browser's Back and the app's own
 * navigation (the returned blocker; the page asks), and closing or reloading the tab (the browser asks).
 */
export function useLeaveGuard(dirty: boolean): Blocker {
  useEffect(() => {
    if (!dirty) return undefined;
    const ask = (event: BeforeUnloadEvent): void => {
      event.preventDefault();
      event.returnValue = LEAVE_TEXT;
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [dirty]);
  return useBlocker(({ currentLocation, nextLocation }) => dirty && currentLocation.pathname !== nextLocation.pathname);
}

import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useRequiredIdentity } from '../../../lib/auth.js';
import { createListeners } from '../../../lib/listeners.js';
import type { Destination } from '../return-to.js';

export type AuthWidgetKind = 'sign-in' | 'sign-up' | 'callback';

/** An element into which the identity SDK renders one of its widgets. */
export interface AuthSlot {
  readonly kind: AuthWidgetKind;
  readonly element: HTMLElement;
  readonly destination: Destination;
}

let slot: AuthSlot | null = null;
let missing = false;
const { subscribe, notify } = createListeners();

function change(next: AuthSlot | null): void {
  slot = next;
  notify();
}

/** The current slot, for the component that holds the identity SDK. */
export function useAuthSlot(): AuthSlot | null {
  return useSyncExternalStore(subscribe, () => slot);
}

/** States whether the last attempt to load the code of the widgets failed. */
export function reportWidgetsMissing(failed: boolean): void {
  missing = failed;
  notify();
}

/** True when the code of the widgets could not be loaded. */
export function useWidgetsMissing(): boolean {
  return useSyncExternalStore(subscribe, () => missing);
}

interface AuthWidgetProps {
  readonly kind: AuthWidgetKind;
  readonly destination: Destination;
}

/**
 * The slot of a widget. The SDK runs next to the pages (see `auth-host.tsx`) and renders into it by portal. The element
 * around the slot has the last height of the widget as `--widget-height`.
 */
export function AuthWidget({ kind, destination }: AuthWidgetProps): React.ReactNode {
  const slot = useRef<HTMLDivElement>(null);
  useRequiredIdentity();
  useEffect(() => {
    const element = slot.current;
    if (!element) return undefined;
    const height = new ResizeObserver(() => {
      if (element.offsetHeight > 0) {
        element.parentElement?.style.setProperty('--widget-height', `${element.offsetHeight}px`);
      }
    });
    height.observe(element);
    change({ kind, element, destination });
    return () => {
      height.disconnect();
      change(null);
    };
  }, [kind, destination]);
  return <div ref={slot} data-auth-widget />;
}

import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { Destination } from '../return-to.js';

export type AuthWidgetKind = 'sign-in' | 'sign-up' | 'callback';

/** A place on the page into which the identity SDK draws one of its own widgets. */
export interface AuthSlot {
  readonly kind: AuthWidgetKind;
  readonly element: HTMLElement;
  readonly destination: Destination;
}

let slot: AuthSlot | null = null;
const listeners = new Set<() => void>();

function change(next: AuthSlot | null): void {
  slot = next;
  for (const listener of [...listeners]) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The open place, for the component that holds the identity SDK. */
export function useAuthSlot(): AuthSlot | null {
  return useSyncExternalStore(subscribe, () => slot);
}

interface AuthWidgetProps {
  readonly kind: AuthWidgetKind;
  readonly destination: Destination;
}

/** Marks where the widget goes. The SDK stands beside the pages (see `app/auth-host.tsx`) and reaches in by portal. */
export function AuthWidget({ kind, destination }: AuthWidgetProps): React.ReactNode {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    change({ kind, element, destination });
    return () => change(null);
  }, [kind, destination]);
  return <div ref={place} data-auth-widget />;
}

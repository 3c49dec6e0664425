interface PortalLoadingProps {
  readonly text?: string;
  readonly children?: React.ReactNode;
}

/** Shown while the portal does not know what to show. */
export function PortalLoading({ text = 'Loading creator portal...', children }: PortalLoadingProps): React.ReactNode {
  return (
    <div aria-busy="true" className="wrap min-h-svh pt-1 sm:pt-3">
      <title>Creator portal · Fanvas</title>
      <p role="status" className="text-20 text-ink-2">
        {text}
      </p>
      {children}
    </div>
  );
}

import { useEffect, useState } from 'react';

/** A skeleton that appears within this time would only flash, milliseconds. */
const PATIENCE_MS = 150;

interface LoadingProps {
  /** Announced at once: `Loading creators...` */
  readonly text: string;
  /** Blocks with the geometry of the content. */
  readonly children: React.ReactNode;
  readonly className?: string;
}

/** Content that loads. Its blocks have their place at once and are seen after a moment. */
export function Loading({ text, children, className }: LoadingProps): React.ReactNode {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div aria-busy="true" className={className}>
      <span role="status" className="sr-only">
        {text}
      </span>
      <div className={shown ? undefined : 'invisible'}>{children}</div>
    </div>
  );
}

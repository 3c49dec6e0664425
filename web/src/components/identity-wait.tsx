import { useMountedFor } from '../lib/use-mounted-for.js';

/** For this long a page waits for the identity SDK without words, in ms. */
const SILENT_MS = 3_000;

/** Says after some seconds that the page does not know yet who views it. It goes on by itself. */
export function IdentityWait({ className }: { readonly className?: string }): React.ReactNode {
  const late = useMountedFor(SILENT_MS);
  return (
    <p role="status" className={className}>
      {late && 'Sign-in is still loading. This page goes on by itself. If it does not, check your connection.'}
    </p>
  );
}

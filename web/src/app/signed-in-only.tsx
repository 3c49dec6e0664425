import { Navigate, Outlet, useNavigation } from 'react-router-dom';
import { useRequiredIdentity, useViewer } from '../lib/auth.js';
import { IdentityWait } from '../components/identity-wait.js';
import { PageFallback } from '../components/page-fallback.js';
import { useWayBack } from '../lib/way-back.js';

/** Renders its pages for signed-in people. Redirects visitors to /sign-in, which returns them with their state. */
export function SignedInOnly(): React.ReactNode {
  const { status } = useViewer();
  const back = useWayBack();
  const navigation = useNavigation();
  useRequiredIdentity();
  if (status === 'signed-in') return <Outlet />;
  if (status === 'loading') {
    return (
      <PageFallback>
        <IdentityWait className="wrap py-16 text-18 text-ink-2" />
      </PageFallback>
    );
  }
  // A session may end while the code of another page is loaded, such as the receipt of a closed account. It wins.
  if (navigation.state !== 'idle') return <PageFallback />;
  return <Navigate to="/sign-in" replace state={back} />;
}

import { useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router-dom';
import type { OwnCreator } from '../../../../src/contract/creators.js';
import type { ImageInfo } from '../../../../src/contract/media.js';
import { IdentityWait } from '../../components/identity-wait.js';
import { useRequiredIdentity, useViewer, type ViewerUser } from '../../lib/auth.js';
import { givenAtSignUp } from './application-rules.js';
import { afterSignUp, arrivalOf, asCreator, type ApplicationFields, type Arrival } from './arrival.js';
import { ApplicationForm } from './components/application-form.js';
import { JoinLayout } from './components/join-layout.js';
import { PortalError } from './components/portal-error.js';
import { PortalLoading } from './components/portal-loading.js';
import { SignUp } from './components/sign-up.js';
import { ModelTrainingPage, PendingPage, RejectedPage } from './components/status-pages.js';
import { isNewAccount, justAccepted, mayReapply, portalCase } from './portal-case.js';
import { useCreatorState } from './use-creator-state.js';
import { useNewAccountRetry } from './use-new-account-retry.js';

interface CreatorPortalProps {
  /** The picture of the offer; null while there is none. */
  readonly picture: ImageInfo | null;
  /** Whether the person is known to be a creator. Then no form to apply is shown when the state cannot be loaded. */
  readonly knownCreator: boolean;
  readonly dashboard: (creator: OwnCreator) => React.ReactNode;
}

/** The creator portal: the page for the person's state (creator spec, sections 2 and 4). */
export function CreatorPortal(props: CreatorPortalProps): React.ReactNode {
  const { status, user } = useViewer();
  useRequiredIdentity();
  const { state } = useLocation() as { state: unknown };
  const navigate = useNavigate();
  const complete = (userId: string): void =>
    void navigate('/creator/terms-acceptance', { replace: true, state: afterSignUp(userId) });

  if (status === 'loading') {
    return (
      <PortalLoading>
        <IdentityWait className="mt-2 text-18 text-ink-2" />
      </PortalLoading>
    );
  }
  if (user === null) {
    return (
      <JoinLayout title="Join as a Creator" picture={props.picture}>
        <SignUp onComplete={complete} />
      </JoinLayout>
    );
  }
  return <Status key={user.id} {...props} user={user} arrival={arrivalOf(state)} />;
}

interface StatusProps extends CreatorPortalProps {
  readonly user: ViewerUser;
  readonly arrival: Arrival;
}

function Status({ user, arrival, picture, knownCreator, dashboard }: StatusProps): React.ReactNode {
  const { status, creator, termsAccepted, hadModel, lookAgain } = useCreatorState();
  const [now] = useState(Date.now);
  const missing = status === 'loaded' && creator === null;
  const attempt = useNewAccountRetry(missing && isNewAccount({ ...user, ...arrival }, now), lookAgain);
  if (attempt !== null) return <PortalLoading text={`Checking creator status... (attempt ${attempt}/3)`} />;
  if (status === 'loading') return <PortalLoading />;

  const failed = status === 'failed';
  if (failed && knownCreator) return <PortalError />;
  const termsJustAccepted = justAccepted(arrival.acceptedAt, now);
  const shown = portalCase({ signedIn: true, failed, creator, hadModel, termsAccepted, termsJustAccepted });
  const again = arrival.applyAgain && creator !== null && mayReapply(creator, now);
  if (shown === 'terms') return <Navigate to="/creator/terms-acceptance" replace state={asCreator} />;
  if (creator === null || again) {
    return (
      <>
        {failed && <PortalError />}
        <JoinLayout title="Apply to Become a Creator" picture={picture}>
          <ApplicationForm user={user} values={arrival.formData ?? givenBy(user, creator)} />
        </JoinLayout>
      </>
    );
  }
  if (shown === 'dashboard') return dashboard(creator);
  if (shown === 'rejected') return <RejectedPage creator={creator} />;
  return shown === 'model-training' ? <ModelTrainingPage creator={creator} /> : <PendingPage creator={creator} />;
}

/** Name and Instagram of an earlier application, or of the sign-up. */
function givenBy(user: ViewerUser, creator: OwnCreator | null): ApplicationFields {
  return creator ? { name: creator.name, instagram: creator.instagram } : givenAtSignUp(user.metadata);
}

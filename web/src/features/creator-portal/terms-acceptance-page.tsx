import { CircleAlert } from 'lucide-react';
import { useRef, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router-dom';
import type { OwnCreator } from '../../../../src/contract/creators.js';
import { Button, ButtonLink } from '../../components/button.js';
import { useViewer, type ViewerUser } from '../../lib/auth.js';
import { useFootBar } from '../../lib/use-foot-bar.js';
import { acceptanceProblem, creatorToMake, flowOf, refusedTo } from './acceptance.js';
import { givenAtSignUp } from './application-rules.js';
import { afterAcceptance, arrivalOf, type Arrival, type FlowType } from './arrival.js';
import { PortalError } from './components/portal-error.js';
import { PortalLoading } from './components/portal-loading.js';
import { RecordPanel } from './components/record-panel.js';
import { TermsArticle } from './components/terms-article.js';
import { acceptTerms } from './accept-terms.js';
import { refreshCreatorState, useCreatorState } from './use-creator-state.js';
import { isKnownApplication, KNOWN_APPLICATION, useKnownApplication } from './use-known-application.js';
import { useKeptScroll } from './use-kept-scroll.js';

interface TermsAcceptancePageProps {
  /** The person may be a creator now. */
  readonly onAccepted: () => void;
}

/** Acceptance of the Creator Terms of Use. People with nothing to accept go to the portal. */
export function TermsAcceptancePage({ onAccepted }: TermsAcceptancePageProps): React.ReactNode {
  const { user } = useViewer();
  const { state } = useLocation() as { state: unknown };
  const { status, creator, termsAccepted } = useCreatorState();
  // Fixed from the click on, when there is nothing left to accept.
  const [accepting, setAccepting] = useState<FlowType | null>(null);
  const [now] = useState(Date.now);
  const arrival = arrivalOf(state);

  if (user === null) return null; // The route lets signed-in people in only.
  const flowType = accepting ?? flowOf({ arrival, viewerId: user.id, creator, termsAccepted, now });
  if (arrival.flowType === null) return <Navigate to="/creator" replace />;
  if (accepting === null && status === 'loading') return <PortalLoading />;
  if (accepting === null && status === 'failed') return <PortalError />;
  if (flowType === null) return <Navigate to="/creator" replace />;
  return (
    <Terms
      user={user}
      arrival={arrival}
      flowType={flowType}
      creator={creator}
      onAccepting={(busy) => setAccepting(busy ? flowType : null)}
      busy={accepting !== null}
      onAccepted={onAccepted}
    />
  );
}

interface TermsProps extends TermsAcceptancePageProps {
  readonly user: ViewerUser;
  readonly arrival: Arrival;
  readonly flowType: FlowType;
  readonly creator: OwnCreator | null;
  readonly busy: boolean;
  readonly onAccepting: (busy: boolean) => void;
}

function Terms({ user, arrival, flowType, creator, busy, onAccepting, onAccepted }: TermsProps): React.ReactNode {
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string | null>(null);
  const openKnown = useKnownApplication();
  const bar = useRef<HTMLDivElement>(null);
  useFootBar(bar);
  useKeptScroll();
  const { formData } = arrival;
  const name = (flowType === 'existing_creator' ? creator?.name : formData?.name) ?? givenAtSignUp(user.metadata).name;

  const accept = async (): Promise<void> => {
    onAccepting(true);
    setProblem(null);
    try {
      const { id: clerkId, email, metadata } = user;
      const request = creatorToMake({ flowType, clerkId, email, formData, metadata, creator });
      await acceptTerms(request, { userId: clerkId, email: email ?? '' });
      const timestamp = Date.now();
      onAccepted();
      await refreshCreatorState();
      void navigate('/creator', { replace: true, state: afterAcceptance(flowType, timestamp) });
    } catch (error) {
      console.warn('The terms were not accepted', error);
      // Another tab was first.
      if (isKnownApplication(error)) {
        setProblem(KNOWN_APPLICATION);
        openKnown();
        return;
      }
      setProblem(acceptanceProblem(error));
      onAccepting(false);
    }
  };

  return (
    <>
      <title>Creator Terms of Use · Fanvas</title>
      <TermsArticle aside={<RecordPanel name={name} email={user.email ?? ''} />} />
      <div
        ref={bar}
        role="region"
        aria-label="Your decision"
        className="fixed inset-x-0 bottom-0 z-(--z-bar) border-t border-line bg-bg pb-[env(safe-area-inset-bottom)]"
      >
        <div className="wrap flex flex-wrap items-center gap-x-3 gap-y-2 py-3 sm:py-4">
          <div className="w-full min-w-0 sm:w-auto sm:flex-1">
            {problem === null ? (
              <p className="text-14 text-ink-2">
                By accepting you confirm that you are 18 or older, and that the likeness is yours.
              </p>
            ) : (
              <p role="alert" className="flex items-center gap-2 text-14 text-bad">
                <CircleAlert aria-hidden className="size-[18px] shrink-0" />
                <span>{problem}</span>
              </p>
            )}
          </div>
          <ButtonLink
            size={48}
            to={refusedTo(flowType)}
            state={formData && { formData }}
            className="flex-1 sm:flex-none"
          >
            Not Now
          </ButtonLink>
          <Button
            kind="seal"
            size={48}
            busy={busy}
            busyLabel="Processing..."
            className="flex-1 sm:flex-none"
            onClick={() => void accept()}
          >
            I Accept Terms
          </Button>
        </div>
      </div>
    </>
  );
}

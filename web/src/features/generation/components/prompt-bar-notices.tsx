import { CircleAlert, LoaderCircle, WifiOff } from 'lucide-react';
import { Link, useNavigate } from 'react-router-dom';
import { Button, ButtonLink } from '../../../components/button.js';
import { Name, Named } from '../../../components/name.js';
import { useViewer, viewer } from '../../../lib/auth.js';
import { cx } from '../../../lib/cx.js';
import { useWayBack } from '../../../lib/way-back.js';
import { runningPath } from '../navigation.js';
import type { StartProblem } from '../start-problem.js';
import type { PromptBarOptions, PromptBarState } from '../use-prompt-bar.js';

interface StatusProps extends Pick<PromptBarOptions, 'creator'> {
  readonly bar: Pick<PromptBarState, 'submitting' | 'online' | 'runsElsewhere' | 'resumed'>;
  /** The fan's credits, once known. */
  readonly balance: number | undefined;
}

/** Why nothing can start now, or what to press after a sign-up. */
export function Status({ bar, creator, balance }: StatusProps): React.ReactNode {
  const isSignedIn = useViewer().user !== null;
  if (bar.submitting) return <Notice>Starting generation... This may take up to 30 seconds.</Notice>;
  if (!bar.online) {
    return (
      <Notice>
        <WifiOff aria-hidden className="size-4 shrink-0" />
        You are offline. Your prompt is kept; an image can start once the connection is back.
      </Notice>
    );
  }
  if (bar.runsElsewhere) return <RunningElsewhere />;
  if (!creator.can_generate) {
    return (
      <Notice>
        <span>
          <Name>{creator.name}</Name> does not have an AI model available for generation.
        </span>
      </Notice>
    );
  }
  return bar.resumed && isSignedIn ? <Welcome balance={balance} cost={creator.credit_cost} /> : null;
}

/** After a sign-up: what the fan has, and what to press. Until the balance is known, the line has its place only. */
function Welcome({ balance, cost }: { balance: number | undefined; cost: number }): React.ReactNode {
  const credits = balance ?? cost;
  return (
    <Notice>
      <span className={cx(balance === undefined && 'invisible')}>
        You are signed in and have {credits.toLocaleString('en')} credits.{' '}
        {credits >= cost ? `Press Generate to make your image for ${cost}.` : `This image costs ${cost}.`}
      </span>
    </Notice>
  );
}

/** A line above the field. */
export function Notice({ children }: { children: React.ReactNode }): React.ReactNode {
  return <p className="flex items-center gap-3 px-4 pt-3 text-14 text-ink-2 sm:px-5">{children}</p>;
}

function RunningElsewhere(): React.ReactNode {
  const path = runningPath();
  return (
    <Notice>
      <LoaderCircle aria-hidden className="size-4 shrink-0 motion-safe:animate-spin" />
      <span>
        Your last image is still being generated.{' '}
        <Link to={path ?? '/my-creations'} className="link">
          {path !== null ? 'See how far it is' : 'See it in My Creations'}
        </Link>
      </span>
    </Notice>
  );
}

interface ProblemProps {
  readonly problem: StartProblem;
  readonly creatorName: string;
  readonly refill: React.ReactNode;
}

/** Why the generation did not start, and what to do. */
export function Problem({ problem, creatorName, refill }: ProblemProps): React.ReactNode {
  const navigate = useNavigate();
  const back = useWayBack();
  const signInAgain = async (): Promise<void> => {
    await viewer().signOut();
    await navigate('/sign-in', { state: back });
  };
  return (
    <div className="fade-in flex flex-wrap items-start gap-x-3 gap-y-2 px-4 pt-3 sm:px-5">
      <CircleAlert aria-hidden className="mt-0.5 size-[18px] shrink-0 text-bad" />
      <div className="min-w-0 flex-1 basis-60 text-14">
        {problem.title && <p className="font-[600] text-ink">{problem.title}</p>}
        <p className="break-words text-ink">
          <Named text={problem.message} name={creatorName} />
        </p>
        {problem.detail && <p className="break-words text-ink-2">{problem.detail}</p>}
        {problem.creditsUnharmed && <p className="text-ink-2">No credits were used.</p>}
        {problem.action === 'purchase' && <div className="text-ink-2">{refill}</div>}
      </div>
      {problem.action === 'purchase' && (
        <ButtonLink to="/purchase-credits" kind="solid">
          Purchase Credits
        </ButtonLink>
      )}
      {problem.action === 'sign-in' && <Button onClick={() => void signInAgain()}>Sign out</Button>}
    </div>
  );
}

import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { GENERATION_COST } from '../../../../src/contract/prices.js';
import { Banner } from '../../components/badge.js';
import { Button, ButtonLink } from '../../components/button.js';
import { Name } from '../../components/name.js';
import { BundleTiles, type Works } from './components/bundle-tiles.js';
import { imagesFor } from './prices.js';
import { promptPlace } from '../../lib/prompt-place.js';
import { textAttributes } from '../../lib/text-language.js';
import { PaymentDetails } from './components/payment-details.js';
import { useVerification } from './use-verification.js';
import { MAX_ATTEMPTS, type Verification } from './verification.js';

interface PaymentSuccessPageProps {
  readonly works: Works;
  /** The fan's credits; undefined until they are fetched again after the payment. */
  readonly balance: number | undefined;
  /** Called when the payment is complete and its credits were granted. */
  readonly onPaid: () => void;
}

/** The page to which the processor sends the fan back: verifies the payment and shows the result. */
export function PaymentSuccessPage({ works, balance, onPaid }: PaymentSuccessPageProps): React.ReactNode {
  const [params] = useSearchParams();
  const sessionId = params.get('session_id');
  const [round, setRound] = useState(1);
  return (
    <Payment
      key={`${sessionId} ${round}`}
      sessionId={sessionId}
      works={works}
      balance={balance}
      onPaid={onPaid}
      onCheckAgain={() => setRound((before) => before + 1)}
    />
  );
}

interface PaymentProps extends PaymentSuccessPageProps {
  readonly sessionId: string | null;
  readonly onCheckAgain: () => void;
}

function Payment({ sessionId, works, balance, onPaid, onCheckAgain }: PaymentProps): React.ReactNode {
  const [place] = useState(promptPlace);
  const verification = useVerification(sessionId, onPaid);
  const { step, attempt, session, message, leaveTo } = verification;
  if (leaveTo !== null) return <Navigate to={leaveTo} replace />;

  const { title, text } = textsOf(verification);
  const open = step === 'asking' || step === 'waiting';
  return (
    <div className="wrap pt-1 sm:pt-3">
      <title>{`${title} · Fanvas`}</title>
      <div className="lg:flex lg:items-start lg:justify-between lg:gap-16">
        <div className="min-w-0 lg:flex-1">
          <div role="status">
            <h1 className="display text-[3.25rem] text-balance sm:text-[4.5rem]">
              <span>{title}</span>
              {open && attempt > 0 && (
                <span className="mt-3 block font-sans text-18 font-[400] tracking-normal tabular-nums text-ink-2">
                  {' '}
                  (attempt {attempt + 1}/{MAX_ATTEMPTS})
                </span>
              )}
            </h1>
            <p className="mt-4 max-w-[52ch] text-18 text-ink-2">{text}</p>
            {open && message !== null && (
              <Banner tone="warn" icon={<CircleAlert aria-hidden />} className="mt-5 max-w-[560px]">
                {message}
              </Banner>
            )}
          </div>
          {place && <PromptKept prompt={place.prompt} />}
          <div className="mt-6 flex flex-wrap gap-2">
            {place && (
              <ButtonLink to={place.path} kind={step === 'paid' ? 'seal' : 'line'} size={48}>
                <span>
                  Back to <Name>{place.creatorName}</Name>
                </span>
              </ButtonLink>
            )}
            <ButtonLink to="/credits" kind={step === 'paid' && !place ? 'solid' : 'line'} size={48}>
              View My Credits
            </ButtonLink>
            {step === 'processing' && (
              <Button size={48} onClick={onCheckAgain}>
                Check again
              </Button>
            )}
            <ButtonLink to="/" kind={step === 'paid' && !place ? 'line' : 'quiet'} size={48}>
              Return to Home
            </ButtonLink>
          </div>
          {step === 'paid' && balance !== undefined && <Balance credits={balance} works={works} />}
        </div>
        <PaymentDetails session={session} busy={open && message === null} />
      </div>
    </div>
  );
}

/** Title and text of the page. A session that was found is shown as "Payment Processing". */
function textsOf({ step, session, message }: Verification): { title: string; text: string } {
  if (step === 'paid') {
    return { title: 'Payment Successful!', text: 'Your credits have been added to your account.' };
  }
  if (step === 'processing' || session !== null) {
    const underWay = 'Your payment is being processed. Credits will be added once the payment is confirmed.';
    return { title: 'Payment Processing', text: step === 'processing' && message !== null ? message : underWay };
  }
  return { title: 'Processing your payment...', text: 'This takes a few seconds.' };
}

/** The prompt that waits on the page to which the fan goes back. */
function PromptKept({ prompt }: { prompt: string }): React.ReactNode {
  if (prompt.trim() === '') return null;
  return (
    <p className="mt-4 line-clamp-2 max-w-[52ch] break-words text-16">
      <span className="text-ink-2">Your prompt is kept:</span> <bdi {...textAttributes(prompt)}>{prompt}</bdi>
    </p>
  );
}

/** The images that the balance pays for. A part of the purchase itself may have repaid a debt. */
function Balance({ credits, works }: { credits: number; works: Works }): React.ReactNode {
  const images = imagesFor(credits, GENERATION_COST);
  return (
    <div className="mt-8 max-w-[420px]">
      <p className="text-14 text-ink-2">
        You have {credits.toLocaleString('en')} credits now. Enough for{' '}
        {images === 1 ? '1 image' : `${images.toLocaleString('en')} images`}.
      </p>
      {works.length > 0 && images > 0 && <BundleTiles works={works} count={images} className="mt-3" />}
    </div>
  );
}

import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { GENERATION_COST } from '../../../../src/contract/prices.js';
import type { CheckoutSession } from '../../../../src/contract/payments.js';
import { Banner } from '../../components/badge.js';
import { Button, ButtonLink } from '../../components/button.js';
import { BundleTiles, type Works } from './components/bundle-tiles.js';
import { imagesFor } from './prices.js';
import { PaymentDetails } from './components/payment-details.js';
import { useVerification } from './use-verification.js';
import { MAX_ATTEMPTS, type Verification } from './verification.js';

interface PaymentSuccessPageProps {
  readonly works: Works;
  /** Called when the payment is complete and its credits were granted. */
  readonly onPaid: () => void;
}

/** The page to which the processor sends the fan back: verifies the payment and shows the result. */
export function PaymentSuccessPage({ works, onPaid }: PaymentSuccessPageProps): React.ReactNode {
  const [params] = useSearchParams();
  const sessionId = params.get('session_id');
  const [round, setRound] = useState(1);
  return (
    <Payment
      key={`${sessionId} ${round}`}
      sessionId={sessionId}
      works={works}
      onPaid={onPaid}
      onCheckAgain={() => setRound((before) => before + 1)}
    />
  );
}

interface PaymentProps extends PaymentSuccessPageProps {
  readonly sessionId: string | null;
  readonly onCheckAgain: () => void;
}

function Payment({ sessionId, works, onPaid, onCheckAgain }: PaymentProps): React.ReactNode {
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
              {title}
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
          {step === 'paid' && session && <Bought session={session} works={works} />}
          <div className="mt-8 flex flex-wrap gap-2">
            <ButtonLink to="/credits" kind={step === 'paid' ? 'solid' : 'line'} size={48}>
              View My Credits
            </ButtonLink>
            {step === 'processing' && (
              <Button size={48} onClick={onCheckAgain}>
                Check again
              </Button>
            )}
            <ButtonLink to="/" kind={step === 'paid' ? 'line' : 'quiet'} size={48}>
              Return to Home
            </ButtonLink>
          </div>
        </div>
        <PaymentDetails session={session} busy={open} />
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

/** The images that the credits pay for. */
function Bought({ session, works }: { session: CheckoutSession; works: Works }): React.ReactNode {
  const credits = Number(session.metadata.bundleCredits);
  if (!Number.isSafeInteger(credits) || credits < GENERATION_COST) return null;
  const images = imagesFor(credits, GENERATION_COST);
  return (
    <div className="mt-8 max-w-[420px]">
      <BundleTiles works={works} count={images} />
      <p className="mt-3 text-14 text-ink-2">Enough for {images === 1 ? '1 image' : `${images} images`}.</p>
    </div>
  );
}

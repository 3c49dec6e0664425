import { useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { ButtonLink } from '../../components/button.js';
import { promptPlace } from '../../lib/prompt-place.js';
import { urlParameters } from '../../lib/sanitise.js';
import { Name } from '../../components/name.js';
import { SupportLink } from '../../components/support-link.js';
import { mayHavePaid, unsuccessfulMessage } from './unsuccessful.js';

/** Page for a payment that was cancelled, failed or could not be verified. The URL query contains the reason. */
export default function PaymentCanceledPage(): React.ReactNode {
  const params = urlParameters(useLocation().search);
  const reason = params.get('reason');
  const uncertain = mayHavePaid(reason);
  const [place] = useState(promptPlace);
  return (
    <div className="wrap pt-1 sm:pt-3">
      <title>Payment Unsuccessful · Fanvas</title>
      <h1 className="display text-[3.25rem] text-balance sm:text-[4.5rem]">Payment Unsuccessful</h1>
      <p className="mt-4 max-w-[52ch] text-18 break-words text-ink-2">
        {unsuccessfulMessage(reason, params.get('status'))}
      </p>
      <section aria-labelledby="next-title" className="mt-8 max-w-[640px] sm:mt-10">
        <h2 id="next-title" className="display-sm text-32">
          What happens next?
        </h2>
        <ul className="mt-3 divide-y divide-line border-y border-line text-16">
          <Next>You can try the purchase again at any time.</Next>
          {uncertain ? (
            <Next>
              No credits were added so far. If you did pay, they will be added automatically: look at{' '}
              <Link to="/credits" className="link">
                your credits
              </Link>{' '}
              before you pay again.
            </Next>
          ) : (
            <Next>No credits were added to your account.</Next>
          )}
          <Next>
            If the problem goes on, contact support: <SupportLink />
          </Next>
        </ul>
      </section>
      <div className="mt-8 flex flex-wrap gap-2">
        <ButtonLink to="/purchase-credits" kind="solid" size={48}>
          Try Again
        </ButtonLink>
        {place && (
          <ButtonLink to={place.path} size={48}>
            <span>
              Back to <Name>{place.creatorName}</Name>
            </span>
          </ButtonLink>
        )}
        <ButtonLink to="/" kind={place ? 'quiet' : 'line'} size={48}>
          Return to Home
        </ButtonLink>
      </div>
    </div>
  );
}

function Next({ children }: { children: React.ReactNode }): React.ReactNode {
  return (
    <li className="flex min-h-[52px] items-center py-3">
      <span>{children}</span>
    </li>
  );
}

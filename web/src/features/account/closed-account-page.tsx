import { Copy } from 'lucide-react';
import { useLocation } from 'react-router-dom';
import type { ClosingReceipt } from '../../../../src/contract/closing.js';
import { Button, ButtonLink } from '../../components/button.js';
import { Skeleton } from '../../components/skeleton.js';
import { QueryProblem } from '../../components/states.js';
import { SupportLink } from '../../components/support-link.js';
import { copy } from '../../components/copy.js';
import { ApiError } from '../../lib/api.js';
import { useClosingReceipt } from './api/get-closing-receipt.js';
import { ReceiptSteps } from './components/receipt-steps.js';
import { problemOf } from '../../lib/problem-of.js';

/** The public page of a closed account: the state of each step, for the owner of the receipt's address. */
export default function ClosedAccountPage(): React.ReactNode {
  const token = decodeToken(useLocation().hash);
  const query = useClosingReceipt(token);
  const { data, error } = query;
  const unknown = token === '' || (error instanceof ApiError && error.status === 404);
  const { title, intro } = textsOf(data, unknown);
  return (
    <div className="wrap pt-1 sm:pt-3">
      <title>{`${title} · Fanvas`}</title>
      <meta name="robots" content="noindex" />
      <div className="max-w-[760px]">
        <div role="status">
          <h1 className="display text-[3.25rem] text-balance sm:text-[4.5rem]">{title}</h1>
          <p className="mt-4 max-w-[56ch] text-18 text-ink-2">{intro}</p>
        </div>
        {data?.status === 'attention' && (
          <p className="mt-3 text-16 text-ink-2">
            Questions? Write to <SupportLink /> <span>and name the closure {data.closure_id}.</span>
          </p>
        )}
        {data && <Receipt receipt={data} />}
        {error && !unknown && !data && (
          <QueryProblem className="mt-8" title="Error loading the receipt" query={query}>
            {problemOf(error)} The account is closed all the same.
          </QueryProblem>
        )}
        {!data && !error && !unknown && <Skeleton className="mt-8 h-96 w-full" />}
        <div className="mt-8 flex flex-wrap gap-2">
          {data && (
            <Button
              size={48}
              onClick={() =>
                void copy(window.location.href, 'The address was copied.', 'The address could not be copied.')
              }
            >
              <Copy aria-hidden className="size-[18px]" />
              Copy the address
            </Button>
          )}
          <ButtonLink to="/" kind={data ? 'quiet' : 'line'} size={48}>
            Return to Home
          </ButtonLink>
        </div>
      </div>
    </div>
  );
}

function textsOf(receipt: ClosingReceipt | undefined, unknown: boolean): { title: string; intro: string } {
  if (unknown) {
    return {
      title: 'No receipt here',
      intro:
        'Open the complete address that was shown when the account was closed. We cannot look it up by name or e-mail address.',
    };
  }
  switch (receipt?.status) {
    case undefined:
      return { title: 'Closing your account', intro: 'You are signed out.' };
    case 'running':
      return {
        title: 'Closing your account',
        intro: 'You are signed out. The rest is under way; this page follows it.',
      };
    case 'attention':
      return {
        title: 'Closing your account',
        intro:
          'You are signed out. A step failed several times: we have been told, and look at it. The others are done regardless.',
      };
    case 'finished':
      return { title: 'Your account is closed', intro: 'Thank you for the time you spent here. Every step is done.' };
  }
}

function Receipt({ receipt }: { readonly receipt: ClosingReceipt }): React.ReactNode {
  return (
    <section aria-labelledby="receipt" className="mt-8 sm:mt-10">
      <h2 id="receipt" className="display-sm mb-4 text-24">
        Receipt
      </h2>
      <ReceiptSteps receipt={receipt} />
      <p className="mt-4 text-14 break-words text-ink-2">
        Closure {receipt.closure_id}. It contains no personal data. Keep the address of this page: it is the only way to
        this receipt.
      </p>
    </section>
  );
}

/** The token of the fragment; empty when there is none. */
function decodeToken(hash: string): string {
  return /^#([\w.-]{1,200})$/.exec(hash)?.[1] ?? '';
}

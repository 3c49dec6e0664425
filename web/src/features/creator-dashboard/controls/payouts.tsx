import { CalendarClock } from 'lucide-react';
import { useRef, useState } from 'react';
import { PAYOUT_HOLD_DAYS } from '../../../../../src/contract/creator-controls.js';
import type { PayoutDetails } from '../../../../../src/contract/creators.js';
import { Banner } from '../../../components/badge.js';
import { Button } from '../../../components/button.js';
import { Loading } from '../../../components/loading.js';
import { Skeleton } from '../../../components/skeleton.js';
import { QueryProblem } from '../../../components/states.js';
import { formatMoney } from '../../../lib/format.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { countryName } from './countries.js';
import { PayoutPages } from '../components/payout-list.js';
import { formatInstant } from './instants.js';
import { PayoutForm } from './payout-form.js';
import { Fact, Section } from './section.js';
import { TAX_STATUSES } from './tax-statuses.js';

/** The payee of the creator's earnings, and the payouts so far. */
export function Payouts({ creatorId }: { readonly creatorId: string }): React.ReactNode {
  const query = useRpc('get_own_payout_details_by_jwt', {});
  const { data, isPending, isError } = query;
  const { data: analytics } = useRpc('get_creator_dashboard_analytics', { p_creator_id: creatorId });
  return (
    <Section
      id="payouts"
      title="Payouts"
      aside={
        analytics && (
          <p className="text-14 text-ink-2">
            Payable: <strong className="text-ink">{formatMoney(analytics.revenue.payable_cents)}</strong> as of now
          </p>
        )
      }
      lead={`Your details are stored encrypted, and shown here in part. Payouts are held for ${PAYOUT_HOLD_DAYS} days after each change.`}
    >
      {isPending && (
        <Loading text="Loading payout details" className="mt-4">
          <Skeleton className="h-32" />
        </Loading>
      )}
      {isError && !data && (
        <QueryProblem className="mt-4" title="Your payout details could not be loaded" query={query} />
      )}
      {data && <Details details={data[0] ?? null} />}
      <h3 className="mt-8 text-16 font-[600]">Payouts so far</h3>
      <PayoutPages creatorId={creatorId} />
    </Section>
  );
}

function Details({ details }: { readonly details: PayoutDetails | null }): React.ReactNode {
  const [editing, setEditing] = useState(false);
  const [announced, setAnnounced] = useState('');
  const opener = useRef<HTMLButtonElement>(null);
  const close = (saved: boolean): void => {
    setEditing(false);
    setAnnounced(saved ? 'Payout details saved.' : '');
    requestAnimationFrame(() => opener.current?.focus());
  };
  return (
    <>
      <p role="status" className="sr-only">
        {announced}
      </p>
      {details?.held_until && (
        <Banner tone="warn" icon={<CalendarClock aria-hidden />} className="mt-4">
          Payouts are held until {formatInstant(details.held_until)}, because your details have changed.
        </Banner>
      )}
      {editing ? (
        <PayoutForm details={details} onClose={close} />
      ) : details === null ? (
        <div className="mt-4 flex flex-wrap items-center justify-between gap-4 rounded-panel border border-line p-5">
          <p className="text-14 text-ink-2">Nothing can be paid out before you enter your details.</p>
          <Button ref={opener} onClick={() => setEditing(true)}>
            Enter payout details
          </Button>
        </div>
      ) : (
        <>
          <dl className="mt-3 text-14">
            <Fact label="Paid to">
              Account ending <span className="tabular-nums">{details.account_ending}</span>
              <span translate="no">, {details.legal_name}</span>
            </Fact>
            <Fact label="Country">{countryName(details.country)}</Fact>
            <Fact label="Tax status">{TAX_STATUSES[details.tax_status]}</Fact>
            <Fact label="Last changed">
              <time dateTime={details.changed_at}>{formatInstant(details.changed_at)}</time>
            </Fact>
          </dl>
          <Button ref={opener} size={32} className="mt-3" onClick={() => setEditing(true)}>
            Change payout details
          </Button>
          {details.changes.length > 0 && <Changes changes={details.changes} />}
        </>
      )}
    </>
  );
}

const FIELDS: Readonly<Record<string, string>> = {
  legal_name: 'legal name',
  country: 'country',
  account: 'account',
  tax_status: 'tax status',
};

function Changes({ changes }: Pick<PayoutDetails, 'changes'>): React.ReactNode {
  return (
    <details className="mt-3 text-14">
      <summary className="w-fit cursor-pointer text-ink-2 hover:text-ink">Changes ({changes.length})</summary>
      <ol aria-label="Changes" className="mt-2">
        {changes.map(({ at, changed }) => (
          <li key={at} className="flex flex-wrap gap-x-4 border-b border-line py-2.5 last:border-0">
            <time dateTime={at} className="text-ink-2 tabular-nums">
              {formatInstant(at)}
            </time>
            <span>Changed {changed.map((field) => FIELDS[field] ?? field.replaceAll('_', ' ')).join(', ')}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}

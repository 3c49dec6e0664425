import { Hand, Users } from 'lucide-react';
import { useId } from 'react';
import type { PayoutRunSums } from '../../../../../src/contract/payouts.js';
import { useViewer } from '../../../lib/auth.js';
import { cx } from '../../../lib/cx.js';
import { dollars } from '../finance-text.js';
import { useIsAdmin } from '../shell/role.js';
import { counted } from '../../../lib/format.js';
import { amountOf, personText, skipText, sumOf } from './payout-text.js';
import { Named } from '../../../components/name.js';

/** The sum of the run, and the sums that it leaves out. */
export function RunSums({ run }: { readonly run: PayoutRunSums }): React.ReactNode {
  const title = useId();
  const { payouts, skipped, minimum_cents: minimum } = run;
  const pays = amountOf(payouts);
  const failed = sumOf(payouts, 'failed');
  const cancelled = sumOf(payouts, 'cancelled');
  const skippedCents = skipped.reduce((sum, { amount_cents: cents }) => sum + cents, 0);
  const all = pays.cents + failed.cents + cancelled.cents + skippedCents;
  const paid = sumOf(payouts, 'paid');
  const unpaid = sumOf(payouts, 'checked');
  const leftOut = skipped.filter(({ reason }) => reason !== 'nothing');
  const waiting = leftOut.reduce((sum, { amount_cents: cents }) => sum + Math.max(0, cents), 0);
  return (
    <aside aria-labelledby={title}>
      <h2 id={title} className="text-14 text-ink-2">
        {run.fixed_at === null ? 'This run, as of now' : 'This run'}
      </h2>
      <p className="display mt-2 text-[3.5rem] tabular-nums">{dollars(pays.cents)}</p>
      <dl className="mt-4 text-14 tabular-nums">
        <Sum name="Payable to all at the cutoff" cents={all} />
        {skipped.map(({ reason, creators, amount_cents: cents }) => (
          <Sum
            key={reason}
            name={`${skipText(reason)}${reason === 'below_minimum' ? ` of ${dollars(minimum)}` : ''}, ${counted(creators, 'creator')}`}
            cents={0 - cents}
          />
        ))}
        {failed.payouts > 0 && <Sum name={`Failed, ${counted(failed.payouts, 'payout')}`} cents={0 - failed.cents} />}
        {cancelled.payouts > 0 && (
          <Sum name={`Cancelled, ${counted(cancelled.payouts, 'payout')}`} cents={0 - cancelled.cents} />
        )}
        {paid.payouts > 0 && <Sum name={`Paid, ${counted(paid.payouts, 'payout')}`} cents={paid.cents} />}
        {unpaid.payouts > 0 && <Sum name={`Still due, ${counted(unpaid.payouts, 'payout')}`} cents={unpaid.cents} />}
      </dl>
      {waiting > 0 && (
        <p className="mt-4 flex gap-3 rounded-ctl bg-warn-wash p-4 text-14 text-warn">
          <Hand aria-hidden className="size-[18px] shrink-0" />
          <span>
            <b className="font-[600]">
              {counted(
                leftOut.reduce((sum, { creators }) => sum + creators, 0),
                'creator',
              )}{' '}
              left out
            </b>
            <br />
            <span>{dollars(waiting)} stays payable and goes into a later run.</span>
          </span>
        </p>
      )}
      <SecondPerson run={run} />
    </aside>
  );
}

function Sum({ name, cents }: { readonly name: string; readonly cents: number }): React.ReactNode {
  return (
    <div className="flex justify-between gap-4 border-b border-line py-2.5 last:border-b-0">
      <dt className="text-ink-2">{name}</dt>
      <dd className={cx('shrink-0', cents === 0 && 'text-ink-3')}>{dollars(cents)}</dd>
    </div>
  );
}

/** The rule of two persons, as it concerns this person. */
function SecondPerson({ run }: { readonly run: PayoutRunSums }): React.ReactNode {
  const { user } = useViewer();
  const isAdmin = useIsAdmin();
  if (run.step === 'cancel') return null;
  const drafter = personText(run.drafted_by, run.drafted_by_name);
  const own = run.drafted_by !== null && run.drafted_by === user?.id;
  const [acts, does] =
    run.step === 'check'
      ? ['record what was paid', 'records what was paid']
      : ['check it and record what was paid', 'checks it and records what was paid'];
  const text = own
    ? `You drafted this run, so another person, an admin, must ${acts}.`
    : isAdmin
      ? `${drafter} drafted it: you can ${acts}.`
      : `${drafter} drafted it. An admin ${does}.`;
  return (
    <p className="mt-2 flex gap-3 rounded-ctl border border-line bg-surface p-4 text-14">
      <Users aria-hidden className="size-[18px] shrink-0" />
      <span id={SECOND_PERSON}>
        <Named text={text} name={drafter} />
      </span>
    </p>
  );
}

/** Id of the sentence about the second person: it describes the button of the check. */
export const SECOND_PERSON = 'second-person';

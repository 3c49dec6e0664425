import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { PayoutRunCreator, PayoutRunSums } from '../../../../../src/contract/payouts.js';
import { Button } from '../../../components/button.js';
import { useMayAct } from '../../../components/work-area/acts.js';
import { formatUtcDay, formatUtcInstant } from '../../../components/work-area/utc.js';
import { payoutStatementPath } from '../../../lib/paths.js';
import { CopyId } from '../components/copy-id.js';
import { entriesPath } from '../finance-paths.js';
import { BEGINNING, dollars } from '../finance-text.js';
import { useIsAdmin } from '../shell/role.js';
import { CreatorHold } from './creator-hold.js';
import { EndPayoutDialog, type PayoutToEnd } from './end-payout-dialog.js';
import { creatorPayoutsPath } from './payout-paths.js';
import { leftOutText, skipText } from './payout-text.js';
import { Name } from '../../../components/name.js';

interface CreatorDetailProps {
  readonly run: PayoutRunSums;
  readonly row: PayoutRunCreator;
}

/** How the amount of a creator is made, where it is, and what can be done about it. */
export function CreatorDetail({ run, row }: CreatorDetailProps): React.ReactNode {
  const { creator_id: id, payable_cents: payable, paid_before_cents: before, skipped } = row;
  const name = row.name ?? 'This creator';
  const mayAct = useMayAct();
  const isAdmin = useIsAdmin();
  const [ending, setEnding] = useState<PayoutToEnd['end'] | null>(null);
  const cents = row.amount_cents ?? payable - before;
  const entries = entriesPath({ accounts: [2100], creatorId: id, from: BEGINNING, to: run.cutoff });
  // A payout in a file, or that was in one, cannot be cancelled: the bank may pay it.
  const mayFail = row.state === 'checked' || row.state === 'paid';
  const mayCancel =
    (row.state === 'drafted' || row.state === 'fixed' || row.state === 'checked') &&
    row.file === null &&
    row.taken_back_file === null;
  // One that was given up has a statement only if its amount was fixed before: the list of all payouts says so.
  const hasStatement = row.state !== null && row.state !== 'drafted' && row.state !== 'cancelled';
  return (
    <div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h3 className="text-14 font-[600]">
          <Name>{name}</Name>
          <span>: how {dollars(cents)} is made</span>
        </h3>
        <span className="flex gap-4">
          {row.payout_id !== null && hasStatement && (
            <Link to={payoutStatementPath(row.payout_id)} className="link text-14">
              Statement
            </Link>
          )}
          <Link to={creatorPayoutsPath(id)} className="link text-14">
            All payouts
          </Link>
        </span>
      </div>
      <dl className="mt-2 text-14 tabular-nums">
        <Part
          name={
            <span>
              <span>Payable before {formatUtcDay(run.cutoff)}, since the first earning and with all corrections (</span>
              <Link to={entries} className="link">
                entries
              </Link>
              )
            </span>
          }
        >
          {dollars(payable)}
        </Part>
        <Part name="Paid before">{dollars(0 - before)}</Part>
        <Part name={skipped === null ? 'This run' : 'Would be paid'} strong>
          {dollars(cents)}
        </Part>
      </dl>
      <Facts run={run} row={row} />
      {mayAct && isAdmin && (
        <div className="mt-4 flex flex-wrap gap-2">
          {mayCancel && (
            <Button size={32} onClick={() => setEnding('cancel')}>
              Give up this payout...
            </Button>
          )}
          {mayFail && (
            <Button size={32} onClick={() => setEnding('fail')}>
              {row.state === 'paid' ? 'It came back...' : 'Record as failed...'}
            </Button>
          )}
          <CreatorHold creatorId={id} name={name} payoutsHeld={row.held_until !== null} />
        </div>
      )}
      {ending && row.payout_id !== null && mayAct && (
        <EndPayoutDialog
          payout={{ payoutId: row.payout_id, name, cents, end: ending, wasPaid: row.state === 'paid' }}
          onClose={() => setEnding(null)}
        />
      )}
    </div>
  );
}

/** The place of the payout on its way, in sentences. */
function Facts({ run, row }: CreatorDetailProps): React.ReactNode {
  const { skipped, left_out: leftOut, file, taken_back_file: takenBack, held_until: heldUntil, reason } = row;
  const facts = [
    skipped !== null &&
      `No payout: ${skipText(skipped)}${skipped === 'below_minimum' ? ` of ${dollars(run.minimum_cents)}` : ''}. The amount stays payable.`,
    heldUntil !== null && `Held until ${formatUtcInstant(heldUntil)}: “${row.hold_reason}”`,
    file !== null && `In file ${file} for the bank.`,
    leftOut !== null && `${leftOutText(leftOut, file)}.`,
    file === null && takenBack !== null && `Was in file ${takenBack}, which was taken back.`,
    transferText(row),
    reason !== null && `${row.state === 'failed' ? 'Failed' : 'Cancelled'}: “${reason}”`,
  ].filter((fact) => fact !== false);
  return (
    <>
      {facts.length > 0 && (
        <ul className="mt-3 space-y-1 text-14 [overflow-wrap:anywhere]">
          {facts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      )}
      {row.reference !== null && (
        <div className="mt-3 flex flex-wrap items-baseline gap-x-3 text-13 tabular-nums text-ink-2">
          Reference of the transfer
          <CopyId name="Reference" id={row.reference} />
        </div>
      )}
    </>
  );
}

/** A transfer that was recorded; false without one. */
function transferText({ state, bank_reference: reference, paid_on: paidOn }: PayoutRunCreator): string | false {
  if (reference === null) return false;
  const day = paidOn === null ? '' : ` ${formatUtcDay(paidOn)}`;
  if (state === 'failed') return `Was paid${day} with the bank’s reference ${reference}, and came back.`;
  return `Paid${day} with the bank’s reference ${reference}.`;
}

interface PartProps {
  readonly name: React.ReactNode;
  readonly strong?: boolean;
  readonly children: React.ReactNode;
}

function Part({ name, strong = false, children }: PartProps): React.ReactNode {
  return (
    <div className="flex justify-between gap-6 border-b border-line py-2 last:border-b-0">
      <dt className={strong ? 'font-[600]' : 'text-ink-2'}>{name}</dt>
      <dd className={strong ? 'font-[600]' : undefined}>{children}</dd>
    </div>
  );
}

import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { CreditProposal } from '../../../../../src/contract/admin-users.js';
import { Badge } from '../../../components/badge.js';
import { Button } from '../../../components/button.js';
import { useViewer } from '../../../lib/auth.js';
import { reverifiedRpc } from '../../../lib/reverified-rpc.js';
import { shortId } from '../components/act-text.js';
import { ActDialog } from '../../../components/work-area/act-dialog.js';
import { useMayAct } from '../../../components/work-area/acts.js';
import { refreshUser } from './refresh-user.js';
import { formatUtcMinute, proposalText, userPath } from './user-text.js';
import { Name, Named } from '../../../components/name.js';

/** A proposal, with its decision: only another admin can make it. */
export function ProposalItem({ proposal }: { readonly proposal: CreditProposal }): React.ReactNode {
  const { reason, proposed_by, proposed_by_name, proposed_at, state, own, user_id, decided_at } = proposal;
  const { user } = useViewer();
  const mayAct = useMayAct();
  const [deciding, setDeciding] = useState<'approve' | 'decline' | null>(null);
  const text = proposalText(proposal);
  return (
    <>
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-[560]">
          <Link className="hover:underline" to={userPath(user_id)} data-row>
            <Named text={text} name={proposal.user_name ?? undefined} />
          </Link>
        </p>
        <p className="break-words">{reason === '' ? 'The reason was erased with the account.' : `“${reason}”`}</p>
        <p className="text-13 text-ink-2">
          Proposed by <Name>{proposed_by_name ?? shortId(proposed_by)}</Name>,{' '}
          <span>
            {formatUtcMinute(proposed_at)} UTC
            {decided_at !== null && `, decided ${formatUtcMinute(decided_at)} UTC`}
          </span>
        </p>
        {state === 'open' && own && (
          <p className="mt-1 text-13 text-ink-2">
            {proposed_by === user?.id
              ? 'You proposed it: another admin must decide.'
              : 'It is about your own account: another admin must decide.'}
          </p>
        )}
      </div>
      {state !== 'open' && (
        <Badge tone={state === 'approved' ? 'good' : 'neutral'}>{state === 'approved' ? 'Approved' : 'Declined'}</Badge>
      )}
      {state === 'open' && !own && mayAct && (
        <div className="flex gap-2">
          <Button size={32} aria-label={`Decline: ${text}`} onClick={() => setDeciding('decline')}>
            Decline
          </Button>
          <Button size={32} kind="solid" aria-label={`Approve: ${text}`} onClick={() => setDeciding('approve')}>
            Approve
          </Button>
        </div>
      )}
      {deciding && mayAct && (
        <Decide proposal={proposal} approve={deciding === 'approve'} onClose={() => setDeciding(null)} />
      )}
    </>
  );
}

interface DecideProps {
  readonly proposal: CreditProposal;
  readonly approve: boolean;
  readonly onClose: () => void;
}

function Decide({ proposal, approve, onClose }: DecideProps): React.ReactNode {
  const name = proposal.user_name ?? undefined;
  return (
    <ActDialog
      role="alertdialog"
      title={approve ? `${proposalText(proposal)}?` : 'Decline the proposal?'}
      name={name}
      description={
        approve ? (
          'It is booked at once. It can only be corrected by another entry.'
        ) : (
          <Named text={`Nothing changes: “${proposalText(proposal)}” is closed.`} name={name} />
        )
      }
      action={approve ? 'Approve' : 'Decline'}
      danger={!approve}
      reasonHint="For the log of acts."
      optionalReason="Note (optional)"
      act={(reason) =>
        reverifiedRpc('decide_credit_proposal_admin', {
          p_proposal_id: proposal.id,
          p_approve: approve,
          p_reason: reason === '' ? null : reason,
        })
      }
      done={() => (approve ? 'Approved. The credits are booked.' : 'Declined. Nothing changed.')}
      refresh={refreshUser}
      onClose={onClose}
    />
  );
}

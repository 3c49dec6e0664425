import { useDeferredValue, useState } from 'react';
import type { RefundPreview } from '../../../../../src/contract/admin-users.js';
import type { Purchase } from '../../../../../src/contract/payments.js';
import { TextField } from '../../../components/text-field.js';
import { formatMoney } from '../../../lib/format.js';
import { reverifiedRpc } from '../../../lib/reverified-rpc.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { typedCredits } from './adjust-rules.js';
import { ActDialog } from '../../../components/work-area/act-dialog.js';
import { problemOf } from '../../../lib/problem-of.js';
import { refreshUser } from './refresh-user.js';
import { creditsText } from './user-text.js';
import type { useRequestId } from '../../../lib/use-request-id.js';
import { Name } from '../../../components/name.js';

interface RefundDialogProps {
  readonly purchase: Purchase;
  /** The name of the user, which is typed to confirm. */
  readonly name: string;
  readonly requestId: ReturnType<typeof useRequestId>;
  readonly onClose: () => void;
}

/** Refunds unspent credits of a purchase, after it has shown what that does. */
export function RefundDialog({ purchase, name, requestId, onClose }: RefundDialogProps): React.ReactNode {
  const [text, setText] = useState('');
  const wrong = text.trim() !== '' && typedCredits(text) === null;
  const asked = useDeferredValue(typedCredits(text));
  const query = useRpc('preview_refund_admin', { p_session_id: purchase.id, p_credits: asked }, { staleTime: 0 });
  // Only what the server says about exactly these credits may be confirmed.
  const preview = query.isPlaceholderData || query.isFetching || wrong ? undefined : query.data;
  const possible = preview !== undefined && preview.refused === null && preview.credits > 0;
  return (
    <ActDialog
      title={`Refund ${purchase.bundle_name}`}
      description="Unspent credits are taken back and their money returns to the payer. It cannot be undone."
      confirmName={name}
      action={
        possible
          ? `Refund ${formatMoney(preview.amount_cents, purchase.currency)} for ${creditsText(preview.credits)}`
          : 'Refund'
      }
      danger
      reasonHint="Stays in the ledger for good: no names, no personal facts."
      ready={possible}
      act={(p_reason) => {
        const body = { p_session_id: purchase.id, p_credits: preview?.credits ?? 0, p_reason };
        return reverifiedRpc('refund_purchase', { ...body, p_request_id: requestId.idOf(body) });
      }}
      done={({ status, credits, amount_cents }) => {
        const money = formatMoney(amount_cents, purchase.currency);
        return status === 'refunded'
          ? `${creditsText(credits)} refunded: ${money} is on its way.`
          : `${creditsText(credits)} taken back. ${money} follows when the processor answers.`;
      }}
      onDone={requestId.done}
      refresh={refreshUser}
      onClose={onClose}
    >
      <TextField
        label="Credits"
        hint="Empty: all that are unspent."
        className="mt-4"
        inputMode="numeric"
        autoComplete="off"
        value={text}
        error={wrong ? 'A whole number, 1 or more.' : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <div aria-live="polite" aria-busy={preview === undefined} className="mt-4 min-h-20 text-14">
        {query.isError ? (
          <p className="text-bad">{problemOf(query.error)}</p>
        ) : preview === undefined ? (
          <p className="text-ink-2">{wrong ? '' : 'Computing...'}</p>
        ) : (
          <Consequences preview={preview} currency={purchase.currency} />
        )}
      </div>
    </ActDialog>
  );
}

interface ConsequencesProps {
  readonly preview: RefundPreview;
  readonly currency: string;
}

function Consequences({ preview, currency }: ConsequencesProps): React.ReactNode {
  const { refused, credits, unspent, amount_cents, balance_before, balance_after, spent, creators } = preview;
  if (refused !== null) return <p className="text-bad">{refused}</p>;
  return (
    <ul className="list-disc space-y-1 pl-5">
      <li>
        {creditsText(credits)} of {unspent.toLocaleString('en')} unspent go back, and{' '}
        {formatMoney(amount_cents, currency)} is returned.
      </li>
      <li>
        The balance goes from {balance_before.toLocaleString('en')} to {balance_after.toLocaleString('en')}.
      </li>
      <li>
        {spent === 0
          ? 'Nothing of it was spent.'
          : `${creditsText(spent)} were spent: the pictures and their creators’ earnings stay.`}
      </li>
      {creators.map(({ creator_id, name, cents }) => (
        <li key={creator_id}>
          <Name>{name}</Name> <span>loses {formatMoney(cents, currency)}.</span>
        </li>
      ))}
    </ul>
  );
}

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { StuckCheckout } from '../../../../../src/contract/admin-users.js';
import type { PaymentProblem } from '../../../../../src/contract/payments.js';
import { Button } from '../../../components/button.js';
import { EmptyState } from '../../../components/states.js';
import { toast } from '../../../components/toast.js';
import { formatMoney } from '../../../lib/format.js';
import { reverifiedRpc } from '../../../lib/reverified-rpc.js';
import { refreshRpc, type useRpc } from '../../../lib/use-rpc.js';
import { shortId } from '../components/act-text.js';
import { ActDialog } from '../../../components/work-area/act-dialog.js';
import { useMayAct } from '../../../components/work-area/acts.js';
import { loadWords } from '../../../components/work-area/answer.js';
import { checkoutState } from '../../../components/work-area/checkout-state.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { problemOf } from '../../../lib/problem-of.js';
import { creditsText, formatUtcMinute, problemText, userPath } from './user-text.js';
import { Name } from '../../../components/name.js';

interface PaymentsProps {
  readonly problems: ReturnType<typeof useRpc<'get_payment_problems'>>;
  readonly stuck: ReturnType<typeof useRpc<'list_stuck_checkouts_admin'>>;
}

/** Payments that need a person: problems with what to do, and checkouts that should have ended. */
export function Payments({ problems, stuck }: PaymentsProps): React.ReactNode {
  const oldest = listOf(stuck);
  const all = oldest.rows[0]?.total_count ?? 0;
  return (
    <div className="grid items-start gap-x-12 gap-y-10 lg:grid-cols-2">
      <section aria-labelledby="problems">
        <h2 id="problems" className="display-sm text-24">
          Payment problems
        </h2>
        <RpcList
          list={listOf(problems)}
          words={loadWords('payment problems')}
          empty={<EmptyState title="No payment needs a person" />}
          blocks={3}
          caption="Payment problems"
          rowKey={({ kind, subject }) => `${kind} ${subject}`}
          item={(row) => <Problem problem={row} />}
          className="mt-2"
        />
      </section>
      <section aria-labelledby="stuck">
        <h2 id="stuck" className="display-sm text-24">
          Stuck checkouts
        </h2>
        <RpcList
          list={oldest}
          words={loadWords('stuck checkouts')}
          empty={<EmptyState title="No checkout is stuck" />}
          under={
            all > oldest.rows.length && (
              <p className="mt-3 text-13 text-ink-2">
                The oldest {oldest.rows.length} of {all.toLocaleString('en')}.
              </p>
            )
          }
          blocks={3}
          caption="Stuck checkouts"
          rowKey={({ id }) => id}
          item={(row) => <Checkout checkout={row} />}
          className="mt-2"
        />
      </section>
    </div>
  );
}

/** A list that has no further page. */
function listOf<Query extends { readonly data: readonly unknown[] | undefined }>(query: Query) {
  const rows: NonNullable<Query['data']> = query.data ?? [];
  return { query, rows, pages: { previous: null, next: null } };
}

function Problem({ problem }: { readonly problem: PaymentProblem }): React.ReactNode {
  const { kind, subject, what: sentence, attempts, first_seen_at, last_seen_at } = problem;
  const { title, step } = problemText(kind);
  const mayAct = useMayAct();
  const [dismissing, setDismissing] = useState(false);
  return (
    <div className="min-w-0">
      <p className="font-[560]">{title}</p>
      <p className="[overflow-wrap:anywhere]">{sentence}</p>
      <p className="mt-1">{step}</p>
      <p className="mt-1 text-13 [overflow-wrap:anywhere] text-ink-2 tabular-nums">
        <Name>{subject}</Name>
        <span>
          , since {formatUtcMinute(first_seen_at)} UTC, last seen {formatUtcMinute(last_seen_at)} UTC
          {attempts > 0 && `, ${attempts.toLocaleString('en')} attempts`}
        </span>
      </p>
      {mayAct && kind !== 'refund_failing' && (
        <Button size={32} className="mt-2" aria-label={`Dismiss: ${subject}`} onClick={() => setDismissing(true)}>
          Dismiss
        </Button>
      )}
      {dismissing && mayAct && <Dismiss problem={problem} onClose={() => setDismissing(false)} />}
    </div>
  );
}

interface DismissProps {
  readonly problem: PaymentProblem;
  readonly onClose: () => void;
}

function Dismiss({ problem: { kind, subject }, onClose }: DismissProps): React.ReactNode {
  return (
    <ActDialog
      title="Dismiss the problem?"
      description="No money and no credits move. It comes back only when a later look finds something else."
      action="Dismiss"
      busyLabel="Dismissing..."
      danger
      reasonHint="For the log of acts, without naming a person."
      act={(p_reason) => reverifiedRpc('dismiss_payment_problem', { p_subject: subject, p_kind: kind, p_reason })}
      done={() => 'The problem was dismissed.'}
      refresh={refreshProblems}
      onClose={onClose}
    />
  );
}

function refreshProblems(): void {
  refreshRpc('list_stuck_checkouts_admin', 'get_payment_problems', 'get_admin_overview');
}

function Checkout({ checkout }: { readonly checkout: StuckCheckout }): React.ReactNode {
  const { session_id, user_id, status, credits, amount_cents, created_at, what_to_do } = checkout;
  const mayAct = useMayAct();
  const look = useMutation({
    mutationFn: (sessionId: string) => reverifiedRpc('retry_checkout_admin', { p_session_id: sessionId }),
    onSuccess: ({ status: now }) => toast({ kind: 'success', title: `Looked at again: ${checkoutState(now)}.` }),
    onSettled: refreshProblems,
  });
  return (
    <>
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-[560]">
          {creditsText(credits)} for {formatMoney(amount_cents)}: {checkoutState(status)}
        </p>
        <p>{what_to_do}</p>
        <p className="mt-1 text-13 [overflow-wrap:anywhere] text-ink-2 tabular-nums">
          <span>{formatUtcMinute(created_at)} UTC, by</span>{' '}
          <Link translate="no" className="link" to={userPath(user_id)}>
            {shortId(user_id)}
          </Link>
          <span translate="no">{session_id !== null && `, ${shortId(session_id)}`}</span>
        </p>
        <p role="alert" className="text-13 text-bad empty:hidden">
          {problemOf(look.error)}
        </p>
      </div>
      {session_id !== null && mayAct && (
        <Button
          size={32}
          aria-label={`Look again at the checkout of ${formatUtcMinute(created_at)}`}
          busy={look.isPending}
          busyLabel="Looking..."
          onClick={() => look.mutate(session_id)}
        >
          Look again
        </Button>
      )}
    </>
  );
}

import { useMutation } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { AdminUser } from '../../../../../src/contract/admin-users.js';
import { Button } from '../../../components/button.js';
import { TextField } from '../../../components/text-field.js';
import { toast } from '../../../components/toast.js';
import { cx } from '../../../lib/cx.js';
import { reverifiedRpc } from '../../../lib/reverified-rpc.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { type AdjustKind, planOf, typedCredits } from './adjust-rules.js';
import { ReasonField } from '../../../components/work-area/reason-field.js';
import { problemOf } from '../../../lib/problem-of.js';
import { refreshUser } from './refresh-user.js';
import { creditsText } from './user-text.js';
import { useRequestId } from '../../../lib/use-request-id.js';

interface AdjustCreditsProps {
  readonly user: AdminUser;
  /** The server has done it, or has the proposal. */
  readonly onDone: () => void;
}

/** Grants bonus credits or takes credits away. More than the daily limit becomes a proposal to a second admin. */
export function AdjustCredits({ user, onDone }: AdjustCreditsProps): React.ReactNode {
  const [kind, setKind] = useState<AdjustKind>('grant');
  const [text, setText] = useState('');
  const [reason, setReason] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const { idOf, done } = useRequestId();
  const credits = typedCredits(text);
  const plan = credits === null ? null : planOf(kind, credits, user);
  const proposes = plan?.needsSecondAdmin ?? false;
  useKeys([
    {
      keys: ['A'],
      label: 'Adjust',
      run: () => form.current?.querySelector<HTMLInputElement>('input[inputmode=numeric]')?.focus(),
    },
  ]);
  const send = useMutation({
    mutationFn: async (request: Request) => {
      const id = idOf(request);
      const { userId: p_user_id, kind: asked, credits: p_amount, reason: p_reason, proposes: second } = request;
      const body = { p_user_id, p_amount, p_reason };
      if (second) await reverifiedRpc('propose_credits_admin', { ...body, p_proposal_id: id, p_kind: asked });
      else if (asked === 'grant') await reverifiedRpc('grant_bonus_credits', { ...body, p_grant_id: id });
      else await reverifiedRpc('adjust_credits', { ...body, p_adjustment_id: id });
    },
    onSuccess: (_, request) => {
      done();
      toast({ kind: 'success', title: doneText(request) });
      onDone();
    },
    onSettled: refreshUser,
  });
  const ready = credits !== null && plan !== null && reason.trim() !== '';
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    if (!ready || send.isPending) return;
    send.mutate({ userId: user.user_id, kind, credits, reason: reason.trim(), proposes });
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="mt-4">
      <KindChoice kind={kind} onKind={setKind} />
      <div className="mt-4 flex flex-wrap items-start gap-x-4 gap-y-3">
        <TextField
          label="Credits"
          className="w-28"
          inputClassName="h-11 px-3.5 text-16 tabular-nums"
          inputMode="numeric"
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <div className="min-w-0 flex-1">
          <p className="text-14 font-[600]">After</p>
          <p aria-live="polite" className="mt-1.5 flex min-h-11 flex-wrap items-center gap-x-1.5 text-14 text-ink-2">
            {afterText(user, plan, { kind, credits, text })}
          </p>
        </div>
      </div>
      <ReasonField
        className="mt-3"
        label="Reason"
        hint="Stays in the ledger for good: no names, no personal facts."
        value={reason}
        onChange={setReason}
      />
      {send.isError && (
        <p role="alert" className="mt-3 text-14 text-bad">
          {problemOf(send.error)}
        </p>
      )}
      <Button
        type="submit"
        kind="solid"
        className="mt-4 w-full"
        disabled={!ready}
        busy={send.isPending}
        busyLabel="Processing..."
      >
        {buttonText(kind, credits, proposes)}
      </Button>
      <p className="mt-3 text-13 text-ink-2">
        {proposes
          ? `You may still grant or take ${creditsText(user.grant_left_today)} today. Nothing changes until another admin approves it.`
          : kind === 'grant'
            ? 'Given credits never expire and earn creators nothing. Sent twice, it counts once.'
            : 'Daily credits go first, then bonus, then purchased ones. Sent twice, it counts once.'}
      </p>
    </form>
  );
}

interface Request {
  readonly userId: string;
  readonly kind: AdjustKind;
  readonly credits: number;
  readonly reason: string;
  readonly proposes: boolean;
}

function doneText({ kind, credits, proposes }: Request): string {
  if (proposes) return 'Proposed. Another admin must approve it.';
  return kind === 'grant' ? `${creditsText(credits)} granted.` : `${creditsText(credits)} taken away.`;
}

function buttonText(kind: AdjustKind, credits: number | null, proposes: boolean): string {
  if (proposes) return 'Propose to a second admin';
  if (credits === null) return kind === 'grant' ? 'Grant credits' : 'Take credits';
  return `${kind === 'grant' ? 'Grant' : 'Take'} ${creditsText(credits)}`;
}

/** `80 → 100 bonus 10 to 30`, or why the number cannot be sent. */
function afterText(
  { total_balance: before }: AdminUser,
  plan: ReturnType<typeof planOf>,
  { kind, credits, text }: { readonly kind: AdjustKind; readonly credits: number | null; readonly text: string },
): React.ReactNode {
  if (plan !== null) {
    return (
      <span>
        <span>{before.toLocaleString('en')}</span>
        <ArrowRight aria-label="to" className="size-3.5 shrink-0" />
        <b className="text-20 font-[600] text-ink tabular-nums">{plan.after.toLocaleString('en')}</b>
        <span>{plan.changes.join(', ')}</span>
      </span>
    );
  }
  if (credits !== null && kind === 'adjust') return `The account has only ${creditsText(before)}.`;
  return text.trim() === '' ? before.toLocaleString('en') : 'A whole number from 1 to 1,000,000';
}

interface KindChoiceProps {
  readonly kind: AdjustKind;
  readonly onKind: (kind: AdjustKind) => void;
}

function KindChoice({ kind, onKind }: KindChoiceProps): React.ReactNode {
  const name = useId();
  return (
    <fieldset className="grid grid-cols-2 gap-1 rounded-ctl border border-line-strong p-1">
      <legend className="sr-only">What to do</legend>
      {(
        [
          ['grant', 'Grant bonus'],
          ['adjust', 'Take away'],
        ] as const
      ).map(([value, label]) => (
        <label
          key={value}
          className={cx(
            'flex h-8 cursor-pointer items-center justify-center rounded-[10px] text-14 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
            kind === value ? 'bg-hover font-[600]' : 'text-ink-2 hover:text-ink',
          )}
        >
          <input
            type="radio"
            name={name}
            value={value}
            checked={kind === value}
            onChange={() => onKind(value)}
            className="sr-only"
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

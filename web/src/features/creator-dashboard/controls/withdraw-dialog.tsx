import { useId, useRef, useState } from 'react';
import { MODEL_DELETION_DAYS } from '../../../../../src/contract/creator-controls.js';
import { Button } from '../../../components/button.js';
import { Modal } from '../../../components/dialog.js';
import { TextField } from '../../../components/text-field.js';
import { toast } from '../../../components/toast.js';
import { dateFormat, formatMoney } from '../../../lib/format.js';
import { moneyText } from '../../../lib/money-parts.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { useRpcEffect } from '../../../lib/use-rpc-effect.js';
import { usePause, type ControlsProps } from './use-pause.js';
import { problemOf } from '../../../lib/problem-of.js';

interface WithdrawDialogProps extends ControlsProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

const DAY_MS = 86_400_000;
const DAY = dateFormat({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Shows what a withdrawal changes and when. Asks for the name, and offers the pause instead. */
export function WithdrawDialog({ creator, onPageChange, open, onOpenChange }: WithdrawDialogProps): React.ReactNode {
  const [name, setName] = useState('');
  const id = useId();
  // The opener goes away with the consent, before or after the dialog.
  const isWithdrawn = useRef(false);
  const withdraw = useRpcEffect(
    'withdraw_consent_by_jwt',
    ['get_creator_by_jwt', 'get_own_consent_by_jwt'],
    onPageChange,
  );
  const { paused, busy: pausing, set: setPaused } = usePause({ creator, onPageChange });
  const busy = withdraw.isPending || pausing;
  const confirmed = plain(name) === plain(creator.name);

  const change = (next: boolean): void => {
    if (busy) return;
    isWithdrawn.current = false;
    setName('');
    withdraw.reset();
    onOpenChange(next);
  };
  const submit = (): void => {
    if (busy || !confirmed) return;
    withdraw.mutate(
      { p_confirmation: creator.name },
      {
        onSuccess: () => {
          toast({
            kind: 'info',
            title: 'Your consent is withdrawn.',
            description: 'You can accept again at any time.',
          });
          setName('');
          isWithdrawn.current = true;
          onOpenChange(false);
        },
      },
    );
  };

  return (
    <Modal
      role="alertdialog"
      open={open}
      onOpenChange={change}
      nextFocus={() => (isWithdrawn.current ? document.getElementById('consent') : null)}
      title="Withdraw your consent?"
      description="Your name, likeness and style are then used for no new picture."
      footer={
        <>
          <Button kind="solid" aria-disabled={busy} onClick={() => change(false)}>
            Keep my consent
          </Button>
          {!paused && (
            <Button
              busy={pausing}
              busyLabel="Pausing..."
              aria-disabled={busy}
              onClick={() => {
                if (!busy) setPaused(true, () => change(false));
              }}
            >
              Pause instead
            </Button>
          )}
          <Button
            kind="danger"
            type="submit"
            form={`${id}-form`}
            disabled={!confirmed}
            busy={withdraw.isPending}
            busyLabel="Withdrawing..."
          >
            Withdraw
          </Button>
        </>
      }
    >
      <Consequences creatorId={creator.id} />
      <form
        id={`${id}-form`}
        className="mt-5"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextField
          label="Write your name to confirm"
          hint={creator.name}
          value={name}
          autoComplete="off"
          spellCheck={false}
          error={problemOf(withdraw.error)}
          onChange={(event) => {
            setName(event.target.value);
            withdraw.reset();
          }}
        />
      </form>
    </Modal>
  );
}

function Consequences({ creatorId }: { readonly creatorId: string }): React.ReactNode {
  const [deletedBy] = useState(() => DAY.format(Date.now() + MODEL_DELETION_DAYS * DAY_MS));
  return (
    <dl className="mt-4 text-14">
      <Consequence when="At once">
        No new pictures. Those that are being drawn are stopped, and their fans get the credits back. Your page and
        gallery close.
      </Consequence>
      <Consequence when={deletedBy}>
        The model and its training works are deleted by then. Until then you can come back with one press.
      </Consequence>
      <Consequence when="Stays">
        Pictures that fans have, the record of your consent, and your money
        <Money creatorId={creatorId} />.
      </Consequence>
    </dl>
  );
}

function Consequence({ when, children }: { readonly when: string; readonly children: React.ReactNode }) {
  return (
    <div className="border-t border-line py-3 sm:flex sm:gap-4">
      <dt className="shrink-0 font-[600] tabular-nums sm:w-26">{when}</dt>
      <dd className="min-w-0 text-ink-2 max-sm:mt-0.5">{children}</dd>
    </div>
  );
}

/** The earnings so far, when they are known. */
function Money({ creatorId }: { readonly creatorId: string }): React.ReactNode {
  const { data } = useRpc('get_creator_dashboard_analytics', { p_creator_id: creatorId });
  if (!data) return <span>, which is paid as usual</span>;
  const { earned_cents: earned, paid_cents: paid, debt_cents: debt } = data.revenue;
  return (
    <span>
      : of {formatMoney(earned)} earned, {formatMoney(paid)} is paid. {moneyText(data.revenue, ['paid', 'debt'])} are
      paid as usual{debt > 0 && `, less ${formatMoney(debt)} that was taken back after a payout`}
    </span>
  );
}

/** Spaces and the way of writing an accent do not matter. */
function plain(name: string): string {
  return name.normalize('NFC').replace(/\s+/g, ' ').trim();
}

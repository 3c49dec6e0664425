import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { PAYOUT_RECORD_YEARS, type AccountClosing, type ClosingChoice } from '../../../../../src/contract/closing.js';
import { Button } from '../../../components/button.js';
import { Named } from '../../../components/name.js';
import { counted, formatMoney } from '../../../lib/format.js';
import { CloseDialog } from './close-dialog.js';

/** Consequences of closing the account, the fate of purchased credits, and the button. */
export function ClosingForm({ closing }: { readonly closing: AccountClosing }): React.ReactNode {
  // Without purchased credits there is no question: a payment that arrives later is refunded then. A choice that was
  // made holds, also when the credits have been spent since.
  const [choice, setChoice] = useState<ClosingChoice>('refund');
  const [asking, setAsking] = useState(false);
  const { paid_credits: paid } = closing;
  return (
    <>
      <h3 className="mt-6 text-16 font-[620]">What happens</h3>
      <ul className="mt-2 list-disc space-y-1.5 pl-5 text-16 text-ink-2 marker:text-ink-3">
        {consequences(closing).map((text) => (
          <li key={text}>
            <Named text={text} name={closing.creator ? `@${closing.creator.username}` : undefined} />
          </li>
        ))}
      </ul>
      <p className="mt-3 text-16 text-ink-2">
        The{' '}
        <Link to="/privacypolicy#closing-your-account" className="link">
          Privacy Policy
        </Link>{' '}
        names what is erased, and what we must keep.
      </p>
      {paid > 0 && <Choice closing={closing} choice={choice} onChoice={setChoice} />}
      <Button size={48} className="mt-7" onClick={() => setAsking(true)}>
        Close my account
      </Button>
      <CloseDialog open={asking} onOpenChange={setAsking} closing={closing} choice={choice} />
    </>
  );
}

/** The consequences for this account, most immediate first. */
function consequences(closing: AccountClosing): string[] {
  const { pending_images: pending, free_credits: free, creator } = closing;
  return [
    'At once, your images, prompts and share pages are gone for everyone. You cannot see them either.',
    ...(pending > 0
      ? [
          `${counted(pending, 'image')} in progress ${pending === 1 ? 'is' : 'are'} cancelled first, and the credits return.`,
        ]
      : []),
    ...(free > 0 ? [`Your ${counted(free, 'free credit')} lapse. They have no value in money.`] : []),
    ...(creator
      ? [
          `Your creator page @${creator.username} is withdrawn: page, portrait, bio and links are erased, and images of fans become visible to those fans only.`,
          `Your earnings stay payable. If you have any, your name and e-mail address are kept for ${PAYOUT_RECORD_YEARS} years for the payouts, as tax law requires.`,
        ]
      : []),
    'Then your images, prompts, name, e-mail address and sign-in are erased. This takes a few seconds to minutes.',
    'It cannot be undone. Signing up again brings no second sign-up bonus.',
  ];
}

interface ChoiceProps {
  readonly closing: AccountClosing;
  readonly choice: ClosingChoice;
  readonly onChoice: (choice: ClosingChoice) => void;
}

function Choice({ closing, choice, onChoice }: ChoiceProps): React.ReactNode {
  const name = useId();
  const { paid_credits: credits, paid_cents: cents, purchases } = closing;
  const options: readonly (readonly [ClosingChoice, string, string])[] = [
    ['refund', `Refund ${formatMoney(cents)}`, 'The money returns to where you paid from, usually within ten days.'],
    ['waive', 'Give them up', 'Nothing is refunded.'],
  ];
  return (
    <fieldset className="mt-6 rounded-panel border border-line bg-surface p-5">
      <legend className="float-left w-full text-16 font-[620]">
        {`You have ${counted(credits, 'unspent purchased credit')}, worth ${formatMoney(cents)}`}
      </legend>
      {purchases.length > 1 && (
        <ul className="clear-both pt-2 text-14 tabular-nums text-ink-2">
          {purchases.map(({ session_id: id, credits: unspent, refund_cents: value }) => (
            <li key={id}>
              {counted(unspent, 'credit')} of one purchase: {formatMoney(value)}
            </li>
          ))}
        </ul>
      )}
      <div className="clear-both pt-3">
        {options.map(([value, label, text]) => (
          <label key={value} className="flex min-h-12 cursor-pointer items-start gap-3 py-1.5">
            <input
              type="radio"
              name={name}
              value={value}
              checked={choice === value}
              className="mt-1 size-[18px] shrink-0 accent-(--seal-mark)"
              onChange={() => onChoice(value)}
            />
            <span>
              <span>{label}</span>
              <span className="block text-14 text-ink-2">{text}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

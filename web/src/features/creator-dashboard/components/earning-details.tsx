import type { CreatorEarning, EarningPart } from '../../../../../src/contract/revenue.js';
import { cx } from '../../../lib/cx.js';
import { lifeOf, partSum, reasonText } from '../earning-text.js';
import { count, smallMoney } from '../money.js';

/** Why an image earned what it did: its sum, the reason of a change, and its life. */
export function EarningDetails({ row, now }: { row: CreatorEarning; now: Date }): React.ReactNode {
  const reason = reasonText(row);
  const inexact = row.paid.some((part) => !partSum(part).exact);
  return (
    <div className="pt-1 pb-3 sm:pt-[18px] sm:pb-6 sm:pl-[120px]">
      {reason !== null && <p className="mb-4 max-w-[66ch] text-14">{reason}</p>}
      {row.paid.map((part, index) => (
        <Sum key={index} part={part} />
      ))}
      {row.paid.length > 1 && (
        <p className="mt-3 text-14">
          Together <span className="font-[600] tabular-nums">{smallMoney(row.creator_cents)}</span>
        </p>
      )}
      {row.free_credits > 0 && (
        <p className="mt-3 text-13 text-ink-2">
          {count(row.free_credits)} more credits of this picture were free: they earn nothing.
        </p>
      )}
      {inexact && (
        <p className="mt-3 text-13 text-ink-2">
          Parts of a cent move to the next picture of the same purchase, so that nothing of your half is lost.
        </p>
      )}
      <Life row={row} now={now} />
    </div>
  );
}

/** 10 × 10¢ = $1.00, ÷ 2 = 50¢ */
function Sum({ part }: { part: EarningPart }): React.ReactNode {
  const { credits, price, rounded, paid, half } = partSum(part);
  return (
    <p className="mt-2 flex flex-wrap items-start gap-x-[9px] gap-y-2 first:mt-0 sm:gap-x-[22px]">
      <Figure label="paid credits">{credits}</Figure>
      <Sign>×</Sign>
      <Figure label={rounded ? 'about what each had cost' : 'what each had cost'}>{price}</Figure>
      <Sign>=</Sign>
      <Figure label={part.credits < 0 ? 'returned to the fan' : 'paid by the fan'}>{paid}</Figure>
      <Sign>÷ 2</Sign>
      <span className="sr-only">=</span>
      <Figure label="yours" own>
        {half}
      </Figure>
    </p>
  );
}

function Figure({ label, own, children }: { label: string; own?: boolean; children: string }): React.ReactNode {
  return (
    <span className="max-w-[72px] sm:max-w-none">
      <span className={cx('display-sm block text-[1.625rem] tabular-nums sm:text-32', own && 'text-seal-text')}>
        {children}
      </span>{' '}
      <span className="mt-0.5 block text-13 leading-[1.125rem] text-ink-2">{label}</span>
    </span>
  );
}

function Sign({ children }: { children: string }): React.ReactNode {
  return <span className="text-16 leading-[1.625rem] text-ink-2 sm:text-20 sm:leading-8">{children}</span>;
}

function Life({ row, now }: { row: CreatorEarning; now: Date }): React.ReactNode {
  const steps = lifeOf(row, now);
  return (
    <ol
      aria-label="Life of this earning"
      className="mt-5 ml-[5px] border-l border-line-strong sm:ml-0 sm:grid sm:auto-cols-fr sm:grid-flow-col sm:border-t sm:border-l-0"
    >
      {steps.map(({ at, text, future }) => (
        <li key={at + text} className="relative pb-3 pl-[18px] text-13 tabular-nums sm:pt-3.5 sm:pr-4 sm:pb-0 sm:pl-0">
          <span
            aria-hidden
            className={cx(
              'absolute top-1.5 -left-[5px] size-[9px] rounded-full sm:-top-[5px] sm:left-0',
              future ? 'border-[1.5px] border-ink-2 bg-bg' : 'bg-ink',
            )}
          />
          <span className="block font-[600]">{at}</span> <span className="text-ink-2">{text}</span>
        </li>
      ))}
    </ol>
  );
}

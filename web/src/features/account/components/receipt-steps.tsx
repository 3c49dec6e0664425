import { Check, CircleAlert, LoaderCircle } from 'lucide-react';
import type { ClosingReceipt, ClosingStepReceipt } from '../../../../../src/contract/closing.js';
import { formatShortDate } from '../../../lib/format.js';
import { resultText, stateText, stepText } from '../receipt-text.js';

/** The steps of a closure with their states and results. */
export function ReceiptSteps({ receipt }: { readonly receipt: ClosingReceipt }): React.ReactNode {
  return (
    <ol className="divide-y divide-line border-y border-line">
      {receipt.steps.map((step) => {
        const result = resultText(step);
        return (
          <li key={step.step} className="flex items-start gap-4 py-3.5">
            <StepIcon state={step.state} />
            <div className="min-w-0 flex-1">
              <p>{stepText(step.step, receipt)}</p>
              {result !== '' && <p className="text-14 text-ink-2">{result}</p>}
            </div>
            <p className="shrink-0 text-right text-14 tabular-nums text-ink-2">
              <span>{stateText(step)}</span>
              {step.done_at !== null && (
                <time dateTime={step.done_at} className="block text-13">
                  {formatShortDate(step.done_at)}
                </time>
              )}
            </p>
          </li>
        );
      })}
    </ol>
  );
}

function StepIcon({ state }: Pick<ClosingStepReceipt, 'state'>): React.ReactNode {
  if (state === 'done') return <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-good" />;
  if (state === 'retrying') return <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-warn" />;
  return <LoaderCircle aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-3" />;
}

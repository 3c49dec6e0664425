import { Ban, Check, CircleX, Hand, LoaderCircle, Lock, PencilLine } from 'lucide-react';
import type { ListedPayoutRun } from '../../../../../src/contract/payouts.js';
import { Badge } from '../../../components/badge.js';
import { cx } from '../../../lib/cx.js';
import { RUN_STATES, runState, type StateTone } from './payout-text.js';

const ICONS = { good: Check, warn: Hand, bad: CircleX, neutral: Ban } as const;
const COLOURS = { good: 'text-good', warn: 'text-warn', bad: 'text-bad', neutral: 'text-ink-2' } as const;

/** The state of a payout: an icon and a word. */
export function StateMark({ text, tone }: { readonly text: string; readonly tone: StateTone }): React.ReactNode {
  const Icon = ICONS[tone];
  return (
    <span className={cx('inline-flex items-start gap-1.5 align-middle text-14', COLOURS[tone])}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{text}</span>
    </span>
  );
}

const RUN_LOOKS = {
  draft: { tone: 'warn', Icon: PencilLine },
  fixed: { tone: 'neutral', Icon: Lock },
  checked: { tone: 'good', Icon: Check },
  part: { tone: 'good', Icon: Check },
  paid: { tone: 'seal', Icon: Check },
  cancelled: { tone: 'neutral', Icon: Ban },
} as const;

/** The state of a run as a badge. */
export function RunBadge({ run }: { readonly run: ListedPayoutRun }): React.ReactNode {
  const state = runState(run);
  const { tone, Icon } = RUN_LOOKS[state];
  return (
    <Badge tone={tone} icon={run.working ? <LoaderCircle aria-hidden /> : <Icon aria-hidden />}>
      {RUN_STATES[state]}
      {run.working && ', in progress'}
    </Badge>
  );
}

import { Check } from 'lucide-react';
import { useId } from 'react';
import {
  CASE_DECISIONS,
  type CaseDecision,
  DECISION_NOTE_MAX_LENGTH,
  GOODWILL_MAX_CREDITS,
  UNDO_HOURS,
  type ModerationCase,
} from '../../../../../src/contract/moderation.js';
import type { RpcRequest } from '../../../../../src/contract/calls.js';
import { Button } from '../../../components/button.js';
import { cx } from '../../../lib/cx.js';
import { useDraft } from '../../../lib/use-draft.js';
import { Kbd } from '../../../components/work-area/kbd.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { caseKey, consequences, decisionHint, DECISIONS, suggestedNote, type Choice } from './case-text.js';
import { Name } from '../../../components/name.js';

export type DecideRequest = RpcRequest<'decide_moderation_case'>;

interface DecidePanelProps {
  readonly about: ModerationCase;
  readonly busy: boolean;
  /** Why the decision was refused. */
  readonly problem: string | null;
  readonly onDecide: (request: DecideRequest) => void;
  readonly onNext: () => void;
}

/** Days of a suspension that an admin can choose. */
const SUSPENSIONS = [1, 7, 30] as const;

/** The decision on a case: three choices, what they will do, and the confirmation. */
export function DecidePanel({ about, busy, problem, onDecide, onNext }: DecidePanelProps): React.ReactNode {
  const id = useId();
  // A refused prompt has no picture to hide or take down.
  const choices = about.kind === 'refusal' ? (['keep'] as const) : CASE_DECISIONS;
  const [draft, change] = useDraft('case', caseKey(about), {
    decision: null as CaseDecision | null,
    note: suggestedNote(about.reason),
    strike: about.kind === 'report',
    blockPrompt: false,
    suspendDays: null as number | null,
    goodwill: '',
  });
  const { decision, note, strike, blockPrompt, suspendDays, goodwill } = draft;
  const credits = Math.min(Math.max(Math.trunc(Number(goodwill)) || 0, 0), GOODWILL_MAX_CREDITS);
  const choice: Choice | null = decision && { decision, strike, blockPrompt, suspendDays, goodwill: credits };
  const noteMissing = decision !== null && decision !== 'keep' && note.trim() === '';
  const ready = choice !== null && !noteMissing;

  const confirm = (): void => {
    if (!ready || busy) return;
    onDecide({
      p_kind: about.kind,
      p_id: about.id,
      p_decision: choice.decision,
      p_note: choice.decision === 'keep' ? null : note.trim(),
      p_block_prompt: blockPrompt,
      ...(choice.decision === 'take_down' && { p_strike: strike }),
      p_suspend_days: suspendDays,
      p_goodwill_credits: credits > 0 ? credits : null,
    });
  };
  useKeys([
    {
      keys: choices.map((_, index) => String(index + 1)),
      label: 'Decide',
      run: (key) => change({ decision: choices[Number(key) - 1] ?? null }),
    },
    { keys: ['Ctrl ↵'], label: 'Confirm', run: confirm },
  ]);

  return (
    <form
      className="mt-6 rounded-panel border border-line bg-surface p-4 sm:p-5"
      aria-label="Decide"
      onSubmit={(event) => {
        event.preventDefault();
        confirm();
      }}
    >
      <fieldset>
        <legend className="text-14 font-[600]">Decide</legend>
        <div className="mt-3 grid gap-2 sm:grid-cols-3">
          {choices.map((value, index) => (
            <label
              key={value}
              className={cx(
                'block cursor-pointer rounded-ctl border px-3.5 py-3 text-14',
                value === decision ? 'border-line-strong bg-bg' : 'border-line',
              )}
            >
              <span className="flex items-center gap-3">
                <input
                  type="radio"
                  name={`${id}-decision`}
                  checked={value === decision}
                  onChange={() => change({ decision: value })}
                  className="size-[18px] shrink-0 accent-(--seal-mark)"
                />
                <b className="font-[600]">{about.kind === 'refusal' ? 'Confirm the refusal' : DECISIONS[value]}</b>
                <Kbd keys={String(index + 1)} className="ml-auto text-ink-2 max-sm:hidden" />
              </span>
              <span className="mt-2 block text-13 text-ink-2">{decisionHint(about.kind, value)}</span>
            </label>
          ))}
        </div>
      </fieldset>

      <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-2 text-14">
        {!about.prompt_blocked && (
          <Tick checked={blockPrompt} onChange={(checked) => change({ blockPrompt: checked })}>
            Block this prompt for <Name>{about.creator_name}</Name>
          </Tick>
        )}
        {decision === 'take_down' && (
          <Tick checked={strike} onChange={(checked) => change({ strike: checked })}>
            Count a strike
          </Tick>
        )}
        {about.maker.user_id !== null && (
          <>
            <label className="flex items-center gap-2">
              Suspend the fan
              <select
                value={suspendDays ?? ''}
                onChange={(event) => change({ suspendDays: Number(event.target.value) || null })}
                className="h-8 rounded-[10px] border border-line-strong bg-bg px-2 text-14"
              >
                <option value="">no</option>
                {SUSPENSIONS.map((days) => (
                  <option key={days} value={days}>
                    {days === 1 ? 'for a day' : `for ${days} days`}
                  </option>
                ))}
              </select>
            </label>
            <label className="flex items-center gap-2">
              Goodwill, bonus credits
              <input
                type="number"
                inputMode="numeric"
                min={0}
                max={GOODWILL_MAX_CREDITS}
                step={1}
                placeholder="0"
                value={goodwill}
                onChange={(event) => change({ goodwill: event.target.value })}
                className="h-8 w-20 rounded-[10px] border border-line-strong bg-bg px-2 text-14"
              />
            </label>
          </>
        )}
      </div>

      {decision !== null && decision !== 'keep' && (
        <div className="mt-4">
          <label htmlFor={`${id}-note`} className="block text-14 font-[600]">
            Note that the owner reads
          </label>
          <textarea
            id={`${id}-note`}
            rows={2}
            required
            maxLength={DECISION_NOTE_MAX_LENGTH}
            value={note}
            onChange={(event) => change({ note: event.target.value })}
            className="mt-1.5 block w-full resize-y rounded-ctl border border-line-strong bg-bg px-3 py-2 text-14"
          />
        </div>
      )}

      {choice && (
        <div className="mt-4 text-14" aria-live="polite">
          <p className="text-ink-2">What happens</p>
          <ul>
            {consequences(about, choice).map((sentence) => (
              <li key={sentence} className="flex gap-2.5 py-1">
                <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-2" />
                <span>{sentence}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <p role="alert" className="text-14 text-bad empty:hidden">
        {problem}
      </p>

      <div className="mt-4 flex flex-wrap items-center justify-end gap-2">
        <p className="min-w-40 flex-1 text-13 text-ink-2">
          Can be undone for {UNDO_HOURS} hours{credits > 0 ? ', but not the bonus credits' : ''}.
        </p>
        <Button kind="quiet" onClick={onNext}>
          Next without deciding
        </Button>
        <Button
          type="submit"
          kind={decision === null || decision === 'keep' ? 'solid' : 'danger'}
          disabled={!ready}
          busy={busy}
          busyLabel="Processing..."
        >
          <span>{about.kind === 'refusal' ? 'Confirm' : DECISIONS[decision ?? 'keep']}</span>
          <Kbd keys="Ctrl ↵" className="max-sm:hidden" />
        </Button>
      </div>
    </form>
  );
}

interface TickProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: React.ReactNode;
}

function Tick({ checked, onChange, children }: TickProps): React.ReactNode {
  return (
    <label className="flex min-h-8 cursor-pointer items-center gap-2.5">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-[18px] shrink-0 accent-(--inverse)"
      />
      <span>{children}</span>
    </label>
  );
}

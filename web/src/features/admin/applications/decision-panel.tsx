import { useId, useState } from 'react';
import {
  APPLICATION_TEXT_MAX_LENGTH,
  type Application,
  type ApplicationRow,
} from '../../../../../src/contract/applications.js';
import { REAPPLY_AFTER_DAYS } from '../../../../../src/contract/creator-terms.js';
import { Button } from '../../../components/button.js';
import { Banner } from '../../../components/badge.js';
import { TextField } from '../../../components/text-field.js';
import { cx } from '../../../lib/cx.js';
import { useDraft } from '../../../lib/use-draft.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { ReasonField } from '../../../components/work-area/reason-field.js';
import { formatUtcDay } from '../../../components/work-area/utc.js';
import { REASONS } from './application-text.js';
import { ModelForm, type TestedModel } from './model-form.js';
import type { Review } from './use-review.js';
import { Name, Named } from '../../../components/name.js';

interface DecisionPanelProps {
  readonly row: ApplicationRow;
  readonly application: Application;
  readonly review: Review;
}

type Choice = 'approve' | 'reject' | 'ask' | 'model';

const CHECKS = [
  { field: 'p_identity_verified', label: 'Identity', hint: 'How you saw who they are' },
  { field: 'p_age_verified', label: '18 or older', hint: 'The document, seen and not stored' },
  { field: 'p_instagram_verified', label: 'The account is theirs', hint: 'A story, a link in the profile' },
] as const;

const DAY_MS = 86_400_000;

const radioId = (choice: Choice): string => `decide-${choice}`;

/** The checks, and one decision at a time. */
export function DecisionPanel({ row, application, review }: DecisionPanelProps): React.ReactNode {
  const { name, creator_id: creatorId, state } = row;
  const [draft, change] = useDraft('application', creatorId, {
    choice: null as Choice | null,
    checks: { p_identity_verified: '', p_age_verified: '', p_instagram_verified: '' },
    reason: '',
    question: '',
  });
  const { checks, reason, question } = draft;
  const [model, setModel] = useState<TestedModel | null>(null);
  const [now] = useState(Date.now);
  const pending = state === 'pending';
  const mayHaveModel = state === 'waiting_for_model' || state === 'approved';
  // Another admin may have decided meanwhile.
  const choice = (draft.choice === 'model' ? mayHaveModel : pending) ? draft.choice : null;
  const isAsked = application.questions[0]?.answered_at === null;

  const choose = (next: Choice): void => {
    review.reset();
    change({ choice: next });
    document.getElementById(radioId(next))?.focus();
  };
  const confirm = (): void => {
    if (review.busy) return;
    const id = { p_creator_id: creatorId };
    const subject = { applicant: name };
    if (choice === 'approve' && checked) {
      review.run({
        name: 'approve_creator_admin_by_jwt',
        request: { ...id, ...checks },
        done: `${name} approved`,
        ...subject,
      });
    } else if (choice === 'reject' && reason.trim() !== '') {
      const request = { ...id, p_reason: reason };
      review.run({ name: 'reject_creator_admin_by_jwt', request, done: `${name} rejected`, ...subject });
    } else if (choice === 'ask' && question.trim() !== '') {
      const request = { ...id, p_question: question };
      review.run({ name: 'ask_applicant_admin', request, done: `${name} was asked`, ...subject }, () =>
        change({ question: '', choice: null }),
      );
    } else if (choice === 'model' && model !== null) {
      const request = { ...id, ...model.reference, p_trial_id: model.trialId };
      review.run({ name: 'assign_creator_model_admin_by_jwt', request, done: `${name} has a model`, ...subject });
    }
  };
  const checked = Object.values(checks).every((note) => note.trim() !== '');
  const ready =
    (choice === 'approve' && checked) ||
    (choice === 'reject' && reason.trim() !== '') ||
    (choice === 'ask' && question.trim() !== '') ||
    (choice === 'model' && model !== null);
  useKeys([
    ...(pending && !application.own
      ? [
          { keys: ['A'], label: 'Approve', run: () => choose('approve') },
          { keys: ['R'], label: 'Reject', run: () => choose('reject') },
        ]
      : []),
    ...(mayHaveModel && !application.own ? [{ keys: ['M'], label: 'Model', run: () => choose('model') }] : []),
    ...(ready ? [{ keys: ['Ctrl ↵'], label: 'Confirm', run: confirm }] : []),
  ]);

  if (application.own) {
    return (
      <div className="border-t border-line px-5 py-4 sm:px-6">
        <Banner tone="warn">This is your own application. Another admin must decide it.</Banner>
      </div>
    );
  }
  const option = (value: Choice, label: string, note: string, disabled = false) => ({
    value,
    label,
    note,
    disabled,
    chosen: choice === value,
    onChoose: () => choose(value),
  });
  return (
    <>
      {pending && (
        <section aria-label="Checked by you" className="border-t border-line px-5 py-4 sm:px-6">
          <h3 className="text-14 font-[600]">Checked by you</h3>
          <p className="mt-0.5 text-13 text-ink-2">An approval needs a note for each. The notes are kept.</p>
          {CHECKS.map(({ field, label, hint }) => (
            <TextField
              key={field}
              className="mt-3"
              label={label}
              placeholder={hint}
              maxLength={APPLICATION_TEXT_MAX_LENGTH}
              inputClassName="h-10 px-3 text-14"
              value={checks[field]}
              onChange={(event) => change({ checks: { ...checks, [field]: event.target.value } })}
            />
          ))}
        </section>
      )}
      <fieldset className="min-w-0 border-t border-line px-5 py-4 sm:px-6">
        <legend className="sr-only">
          Decision about <Name>{name}</Name>
        </legend>
        <div className="space-y-2">
          {pending && (
            <>
              <Option
                {...option(
                  'approve',
                  'Approve',
                  checked ? 'Goes to ‘Ready for AI Model Training’' : 'Once all three are checked',
                )}
              />
              <Option
                {...option(
                  'reject',
                  'Reject',
                  `May reapply from ${formatUtcDay(new Date(now + REAPPLY_AFTER_DAYS * DAY_MS).toISOString())}`,
                )}
              >
                <PreparedReasons handle={row.instagram} onReason={(text) => change({ reason: text })} />
                <ReasonField
                  className="mt-3"
                  max={APPLICATION_TEXT_MAX_LENGTH}
                  label="What the applicant reads"
                  hint="Shown on their status page."
                  value={reason}
                  onChange={(text) => change({ reason: text })}
                />
              </Option>
              <Option
                {...option('ask', 'Ask for more', isAsked ? 'Not answered yet' : 'The application stays open', isAsked)}
              >
                <ReasonField
                  className="mt-3"
                  max={APPLICATION_TEXT_MAX_LENGTH}
                  label="Question"
                  hint="The applicant answers on their status page."
                  value={question}
                  onChange={(text) => change({ question: text })}
                />
              </Option>
            </>
          )}
          <Option
            {...option(
              'model',
              'Assign a model',
              mayHaveModel ? modelNote(application) : 'Once approved',
              !mayHaveModel,
            )}
          >
            <ModelForm creatorId={creatorId} trials={application.trials} onReady={setModel} />
          </Option>
        </div>
        {review.problem !== null && (
          <p role="alert" className="mt-3 text-14 text-bad">
            {review.problem}
          </p>
        )}
        {choice !== null && (
          <div className="mt-4 flex flex-wrap justify-end gap-2">
            <Button
              kind="quiet"
              onClick={() => {
                review.reset();
                change({ choice: null });
              }}
            >
              Cancel
            </Button>
            <Button
              kind={choice === 'reject' ? 'danger' : 'solid'}
              disabled={!ready}
              busy={review.busy}
              busyLabel="Processing..."
              onClick={confirm}
            >
              <Named text={labelOf(choice, name)} name={name} />
            </Button>
          </div>
        )}
      </fieldset>
    </>
  );
}

function modelNote({ creator }: Application): string {
  return creator.deployment_name ?? creator.lora_id ?? 'A trial picture is drawn first';
}

function labelOf(choice: Choice, name: string): string {
  switch (choice) {
    case 'approve':
      return `Approve ${name}`;
    case 'reject':
      return `Reject ${name}`;
    case 'ask':
      return `Ask ${name}`;
    case 'model':
      return `Assign the model to ${name}`;
  }
}

interface OptionProps {
  readonly value: Choice;
  readonly label: string;
  readonly note: string;
  readonly disabled: boolean;
  readonly chosen: boolean;
  readonly onChoose: () => void;
  readonly children?: React.ReactNode;
}

function Option({ value, label, note, disabled, chosen, onChoose, children }: OptionProps): React.ReactNode {
  return (
    <div className={cx('rounded-ctl border px-3.5 py-3', chosen ? 'border-line-strong bg-bg' : 'border-line')}>
      <label className={cx('flex flex-wrap items-center gap-x-3 gap-y-1', disabled && 'text-ink-3')}>
        <input
          type="radio"
          id={radioId(value)}
          name="decision"
          value={value}
          checked={chosen}
          disabled={disabled}
          onChange={onChoose}
          className="size-4 shrink-0 accent-(--seal)"
        />
        <span className="text-16 font-[560]">{label}</span>
        <span className={cx('text-14 max-sm:w-full max-sm:pl-7 sm:ml-auto', disabled ? 'text-ink-3' : 'text-ink-2')}>
          {note}
        </span>
      </label>
      {chosen && children}
    </div>
  );
}

interface PreparedReasonsProps {
  readonly handle: string;
  readonly onReason: (text: string) => void;
}

function PreparedReasons({ handle, onReason }: PreparedReasonsProps): React.ReactNode {
  const id = useId();
  return (
    <div className="mt-3">
      <label htmlFor={id} className="block text-14 font-[600]">
        Reason
      </label>
      <select
        id={id}
        defaultValue=""
        onChange={(event) => {
          const preset = REASONS[Number(event.target.value)];
          if (event.target.value !== '' && preset) onReason(preset.text(handle));
        }}
        className="mt-1.5 h-10 w-full rounded-ctl border border-line-strong bg-bg px-3 text-14"
      >
        <option value="">In your own words</option>
        {REASONS.map(({ title }, index) => (
          <option key={title} value={index}>
            {title}
          </option>
        ))}
      </select>
    </div>
  );
}

import { useMutation } from '@tanstack/react-query';
import { CircleCheck, CircleX } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ModelReference } from '../../../../../src/contract/calls/applications.js';
import { MODEL_NAME_MAX_LENGTH, type ModelTrial } from '../../../../../src/contract/applications.js';
import { MODEL_TRIAL_DAYS, PROMPT_MAX_LENGTH } from '../../../../../src/contract/limits.js';
import { Button } from '../../../components/button.js';
import { Picture } from '../../../components/picture.js';
import { TextField } from '../../../components/text-field.js';
import { callRpc } from '../../../lib/api.js';
import { useDraft } from '../../../lib/use-draft.js';
import { refreshRpc, useRpc } from '../../../lib/use-rpc.js';
import { useRpcEffect } from '../../../lib/use-rpc-effect.js';
import { modelIn } from './application-text.js';
import { problemOf } from '../../../lib/problem-of.js';

/** A model with a finished trial picture. */
export interface TestedModel {
  readonly reference: ModelReference;
  readonly trialId: string;
}

interface ModelFormProps {
  readonly creatorId: string;
  readonly trials: readonly ModelTrial[];
  /** Called with the model once it can be assigned, and with null when it no longer can. */
  readonly onReady: (model: TestedModel | null) => void;
}

const TRIAL_POLL_MS = 2_000;
const DAY_MS = 86_400_000;

/** The name of a model, the check at the image provider, and the trial picture. */
export function ModelForm({ creatorId, trials, onReady }: ModelFormProps): React.ReactNode {
  const [{ typed, prompt }, change] = useDraft('model', creatorId, {
    typed: trials[0]?.deployment_name ?? trials[0]?.lora_id ?? '',
    prompt: 'A portrait at a window in the evening',
  });
  const [now] = useState(Date.now);
  const { name, ...reference } = modelIn(typed);
  const check = useMutation({
    mutationFn: async (model: string) => {
      const { name: checked, ...asked } = modelIn(model);
      return { checked, ...(await callRpc('check_model_admin', asked)) };
    },
  });
  const draw = useRpcEffect('draw_model_trial_admin', ['get_application_admin']);
  const found = check.data?.checked === name ? check.data : undefined;
  const trial = trials.find(
    (each) =>
      (each.deployment_name ?? each.lora_id) === name && now - Date.parse(each.created_at) < MODEL_TRIAL_DAYS * DAY_MS,
  );
  const testedId = trial?.status === 'completed' && name !== '' ? trial.id : null;
  useEffect(() => {
    onReady(testedId === null ? null : { reference: modelOf(name), trialId: testedId });
    return () => onReady(null);
  }, [testedId, name, onReady]);

  return (
    <div className="mt-3 space-y-3">
      <div className="flex flex-wrap items-end gap-2">
        <TextField
          label="Deployment name or version"
          placeholder="owner/name"
          className="min-w-0 flex-1 basis-56"
          inputClassName="h-10 px-3 text-14"
          autoComplete="off"
          spellCheck={false}
          maxLength={MODEL_NAME_MAX_LENGTH}
          value={typed}
          onChange={(event) => change({ typed: event.target.value })}
        />
        <Button
          disabled={name === ''}
          busy={check.isPending}
          busyLabel="Checking..."
          onClick={() => check.mutate(name)}
        >
          Check
        </Button>
      </div>
      <p role="status" className="text-14">
        {check.error !== null && <span className="text-bad">{problemOf(check.error)}</span>}
        {found &&
          (found.problem === null ? (
            <span className="inline-flex items-center gap-1.5 text-good">
              <CircleCheck aria-hidden className="size-4" />
              Found
            </span>
          ) : (
            <span className="inline-flex items-center gap-1.5 text-bad">
              <CircleX aria-hidden className="size-4 shrink-0" />
              <span>{found.problem}</span>
            </span>
          ))}
      </p>
      {trial && <Trial trial={trial} />}
      <div className="flex flex-wrap items-end gap-2">
        <TextField
          label="Prompt of the trial picture"
          className="min-w-0 flex-1 basis-56"
          inputClassName="h-10 px-3 text-14"
          maxLength={PROMPT_MAX_LENGTH}
          value={prompt}
          onChange={(event) => change({ prompt: event.target.value })}
        />
        <Button
          disabled={name === '' || prompt.trim() === '' || trial?.status === 'pending'}
          busy={draw.isPending}
          busyLabel="Drawing..."
          onClick={() => draw.mutate({ p_creator_id: creatorId, ...reference, p_prompt: prompt })}
        >
          {trial ? 'Draw another' : 'Draw a trial picture'}
        </Button>
      </div>
      {draw.error !== null && (
        <p role="alert" className="text-14 text-bad">
          {problemOf(draw.error)}
        </p>
      )}
      <p className="text-13 text-ink-2">Trial pictures cost nothing, and only admins see them.</p>
    </div>
  );
}

function modelOf(name: string): ModelReference {
  const { name: _, ...reference } = modelIn(name);
  return reference;
}

function Trial({ trial }: { readonly trial: ModelTrial }): React.ReactNode {
  if (trial.status === 'pending') return <Drawing key={trial.id} id={trial.id} />;
  if (trial.status === 'failed' || trial.image === null) {
    return <p className="text-14 text-bad">The trial picture failed: {trial.error}</p>;
  }
  return (
    <figure>
      <Picture
        image={trial.image}
        alt={`Trial picture: ${trial.prompt}`}
        sizes="240px"
        className="w-60 max-w-full rounded-sm"
      />
      <figcaption translate="no" className="mt-1 text-13 text-ink-2">
        {trial.prompt}
      </figcaption>
    </figure>
  );
}

/** Waits for a trial picture that is being drawn, and then reads the application again. */
function Drawing({ id }: { readonly id: string }): React.ReactNode {
  const { data } = useRpc(
    'get_model_trial_admin',
    { p_trial_id: id },
    { refetchInterval: TRIAL_POLL_MS, staleTime: 0 },
  );
  const ended = data?.id === id && data.status !== 'pending';
  useEffect(() => {
    if (ended) refreshRpc('get_application_admin');
  }, [ended]);
  return (
    <p role="status" className="text-14 text-ink-2">
      The trial picture is being drawn...
    </p>
  );
}

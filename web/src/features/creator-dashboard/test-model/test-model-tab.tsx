import { CircleCheck, CirclePause, CircleSlash, ThumbsDown } from 'lucide-react';
import { useRef, useState } from 'react';
import type { OwnCreator } from '../../../../../src/contract/creators.js';
import { TestForm, type TestFormHandle } from './test-form.js';
import { TestList } from './test-list.js';
import { useTests } from './tests.js';

interface TestModelTabProps {
  readonly creator: OwnCreator;
  /** Seen by an admin: the model alone, because test images are private to the creator. */
  readonly embedded?: boolean;
}

/** The creator's own model, to try it without cost (creator spec, section 2). */
export function TestModelTab({ creator, embedded = false }: TestModelTabProps): React.ReactNode {
  const model = creator.deployment_name ?? creator.lora_id;
  return (
    <div className="grid gap-x-14 gap-y-12 lg:grid-cols-[minmax(0,1fr)_320px]">
      <div className="min-w-0">
        {embedded ? (
          <Box title="Read only">Only the creator tests this model. The test images are private.</Box>
        ) : (
          <Tests creator={creator} model={model} />
        )}
      </div>
      <aside aria-label="Model">
        <h2 className="display-sm text-32">Model</h2>
        <dl className="mt-3 text-14">
          <Field label="Identifier">{model ?? 'No model configured'}</Field>
          {model !== null && (
            <Field label="State">
              <State creator={creator} />
            </Field>
          )}
        </dl>
        {model !== null && !embedded && (
          <div className="mt-6 flex gap-3 rounded-panel border border-line bg-surface p-4">
            <ThumbsDown aria-hidden className="mt-0.5 size-[18px] shrink-0" />
            <div className="text-14">
              <p className="font-[600]">Not right?</p>
              <p className="text-ink-2">
                Mark a test with thumbs down and say why. Your representative sees it with the prompt before the next
                training.
              </p>
            </div>
          </div>
        )}
      </aside>
    </div>
  );
}

interface TestsProps {
  readonly creator: OwnCreator;
  readonly model: string | null;
}

function Tests({ creator, model }: TestsProps): React.ReactNode {
  const [page, setPage] = useState(1);
  const tests = useTests(page);
  const form = useRef<TestFormHandle>(null);
  const running = tests.data?.some(({ generation }) => generation.status === 'pending') ?? false;
  return (
    <>
      {creator.withdrawn_at !== null ? (
        <Box title="No new pictures">
          You have withdrawn your consent.
          {model !== null && ' Accept the terms again to test your model.'}
        </Box>
      ) : model === null ? (
        <Box title="No model configured">
          A representative will reach out to train it. You can test here as soon as it is ready.
        </Box>
      ) : (
        <TestForm ref={form} running={running} onStarted={() => setPage(1)} />
      )}
      <TestList
        query={tests}
        page={page}
        onPage={setPage}
        onRetry={model === null ? undefined : (prompt) => form.current?.fill(prompt)}
      />
    </>
  );
}

function Box({ title, children }: { readonly title: string; readonly children: React.ReactNode }): React.ReactNode {
  return (
    <div className="rounded-bar border border-line bg-surface p-5">
      <h2 className="text-16 font-[600]">{title}</h2>
      <p className="mt-1 text-14 text-ink-2">{children}</p>
    </div>
  );
}

function Field({ label, children }: { readonly label: string; readonly children: React.ReactNode }): React.ReactNode {
  return (
    <div className="flex gap-4 border-b border-line py-2.5 last:border-0">
      <dt className="w-22 shrink-0 text-ink-2">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}

function State({ creator }: { readonly creator: OwnCreator }): React.ReactNode {
  const [Icon, words, look] =
    creator.withdrawn_at !== null
      ? ([CircleSlash, 'Stopped: consent withdrawn', 'text-warn'] as const)
      : creator.paused_at !== null
        ? ([CirclePause, 'Paused for fans', 'text-warn'] as const)
        : !creator.is_visible
          ? ([CircleSlash, 'Archived: not for fans', 'text-warn'] as const)
          : ([CircleCheck, 'Drawing for fans', 'text-good'] as const);
  return (
    <span className={`inline-flex items-center gap-1.5 ${look}`}>
      <Icon aria-hidden className="size-4 shrink-0" />
      <span>{words}</span>
    </span>
  );
}

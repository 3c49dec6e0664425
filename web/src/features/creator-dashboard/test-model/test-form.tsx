import { CircleAlert } from 'lucide-react';
import { useImperativeHandle, useRef, useState } from 'react';
import { PROMPT_MAX_LENGTH } from '../../../../../src/contract/limits.js';
import { sanitisePrompt } from '../../../../../src/generation/prompts/sanitise-prompt.js';
import { Button } from '../../../components/button.js';
import { useAutoGrow } from '../../../lib/use-auto-grow.js';
import { useRpcEffect } from '../../../lib/use-rpc-effect.js';
import { TEST_READS, useTestAllowance } from './tests.js';
import { problemOf } from '../../../lib/problem-of.js';

/** Actions of the form for other parts of the tab. */
export interface TestFormHandle {
  /** Fills in a prompt, to try it again, and focuses the field. */
  fill(prompt: string): void;
}

interface TestFormProps {
  /** A test is in progress; there is one at a time. */
  readonly running: boolean;
  readonly onStarted: () => void;
  readonly ref?: React.Ref<TestFormHandle>;
}

const NO_PROMPT = 'Please describe the picture first.';

/** The prompt box of the test tab. */
export function TestForm({ running, onStarted, ref }: TestFormProps): React.ReactNode {
  const [prompt, setPrompt] = useState('');
  const [missing, setMissing] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useAutoGrow(field, prompt);
  const start = useRpcEffect('start_test_generation_by_jwt', TEST_READS);
  const { data: allowance } = useTestAllowance();
  const usedUp = allowance !== undefined && allowance.used_today >= allowance.limit;

  const change = (value: string): void => {
    setPrompt(value);
    setMissing(false);
    if (!start.isPending) start.reset();
  };
  useImperativeHandle(ref, () => ({
    fill: (value) => {
      change(value);
      field.current?.focus();
    },
  }));

  const submit = (): void => {
    if (running || usedUp || start.isPending) return;
    const clean = sanitisePrompt(prompt);
    setPrompt(clean);
    setMissing(clean === '');
    if (clean === '') return field.current?.focus();
    onStarted();
    start.mutate({ p_prompt: clean });
  };

  return (
    <form
      aria-label="Test your model"
      className="rounded-bar border border-line-strong bg-raised outline-offset-3 outline-focus has-[textarea:focus-visible]:outline-2"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <label htmlFor="test-prompt" className="sr-only">
        Describe a test picture
      </label>
      <textarea
        ref={field}
        id="test-prompt"
        rows={2}
        value={prompt}
        maxLength={PROMPT_MAX_LENGTH}
        placeholder="Describe a test picture"
        aria-keyshortcuts="Control+Enter Meta+Enter"
        aria-describedby="test-note test-problem"
        className="block field-sizing-content max-h-[200px] min-h-16 w-full resize-none bg-transparent px-5 pt-4 text-16 outline-none placeholder:text-ink-2"
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
          event.preventDefault();
          submit();
        }}
      />
      <div id="test-problem" role="alert" className="px-5 text-14">
        {missing && <Problem>{NO_PROMPT}</Problem>}
        {start.error && <Problem>{problemOf(start.error)}</Problem>}
      </div>
      <div className="flex flex-wrap items-center gap-3 p-3.5 pl-5">
        <p id="test-note" className="grow basis-60 text-14 text-ink-2">
          {usedUp
            ? `You have used all ${allowance.limit} tests of today. The next ones are free at ${timeOf(allowance.resets_at)} UTC.`
            : 'Tests are free, are seen by nobody but you and your representative, and earn nothing.'}
        </p>
        <kbd aria-hidden className="hidden font-sans text-13 text-ink-3 sm:block pointer-coarse:hidden">
          {/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'} ↵
        </kbd>
        <Button
          type="submit"
          kind="seal"
          aria-disabled={running || usedUp}
          busy={start.isPending}
          busyLabel="Starting..."
          className="max-sm:basis-full"
        >
          {running ? 'Image Generating...' : 'Generate'}
        </Button>
      </div>
    </form>
  );
}

function Problem({ children }: { readonly children: string }): React.ReactNode {
  return (
    <p className="flex items-start gap-2 pt-2 text-ink">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
      <span className="min-w-0 break-words">{children}</span>
    </p>
  );
}

/** `00:00`, in UTC. */
function timeOf(instant: string): string {
  return instant.slice(11, 16);
}

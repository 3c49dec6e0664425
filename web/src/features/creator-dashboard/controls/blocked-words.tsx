import { LoaderCircle, X } from 'lucide-react';
import { useState } from 'react';
import { BLOCKED_TERM_MAX_LENGTH, BLOCKED_TERMS_MAX } from '../../../../../src/contract/creator-controls.js';
import type { BlockedTerm } from '../../../../../src/contract/creators.js';
import { Button } from '../../../components/button.js';
import { Loading } from '../../../components/loading.js';
import { Skeleton } from '../../../components/skeleton.js';
import { QueryProblem } from '../../../components/states.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { useRpcEffect } from '../../../lib/use-rpc-effect.js';
import { Section } from './section.js';
import { problemOf } from '../../../lib/problem-of.js';

const TERMS = 'get_own_blocked_terms_by_jwt';

/** Words and phrases that prompts for this creator may not contain. */
export function BlockedWords(): React.ReactNode {
  const query = useRpc(TERMS, {});
  const { data: terms, isPending, isError, error } = query;
  const stopped = terms?.reduce((sum, term) => sum + term.stopped, 0) ?? 0;
  return (
    <Section
      id="blocked-words"
      title="Blocked words"
      aside={
        terms && (
          <p className="text-14 text-ink-2">
            Stopped {stopped.toLocaleString('en-US')} {stopped === 1 ? 'prompt' : 'prompts'} this month, before any
            credits were taken
          </p>
        )
      }
      lead="No picture is drawn from a prompt that holds one of these. Case, accents and simple tricks of spelling do not matter."
    >
      {isPending && (
        <Loading text="Loading blocked words" className="mt-4">
          <Skeleton className="h-14 rounded-ctl" />
        </Loading>
      )}
      {isError && !terms && (
        <QueryProblem className="mt-4" title="Your blocked words could not be loaded" query={query}>
          They still hold. {problemOf(error)}
        </QueryProblem>
      )}
      {terms && <Editor terms={terms} />}
    </Section>
  );
}

function Editor({ terms }: { readonly terms: readonly BlockedTerm[] }): React.ReactNode {
  const [text, setText] = useState('');
  const [announced, setAnnounced] = useState('');
  const add = useRpcEffect('add_own_blocked_term_by_jwt', [TERMS]);
  const remove = useRpcEffect('remove_own_blocked_term_by_jwt', [TERMS]);
  const problem = add.error ?? remove.error;

  const submit = (): void => {
    const term = text.trim();
    if (term === '' || add.isPending) return;
    remove.reset();
    add.mutate(
      { p_term: term },
      {
        onSuccess: () => {
          setText('');
          setAnnounced(`Blocked “${term}”.`);
        },
      },
    );
  };
  const take = ({ id, term }: BlockedTerm): void => {
    if (remove.isPending) return;
    add.reset();
    remove.mutate({ p_term_id: id }, { onSuccess: () => setAnnounced(`“${term}” is no longer blocked.`) });
    // Its button is about to disappear. The field would open the keyboard of a phone.
    document.getElementById('blocked-words')?.focus({ preventScroll: true });
  };

  return (
    <>
      <form
        aria-label="Blocked words"
        className="mt-4 flex min-h-14 flex-wrap items-center gap-2 rounded-ctl border border-line-strong bg-surface p-2 outline-offset-3 outline-focus has-[input:focus-visible]:outline-2"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {terms.length > 0 && (
          <ul aria-label="Blocked words" className="contents">
            {terms.map((term) => (
              <li
                key={term.id}
                className="inline-flex min-h-9 min-w-0 items-center gap-2 rounded-sm bg-hover pl-3 text-14"
              >
                <span className="min-w-0 break-words">{term.term}</span>
                <span className="tabular-nums text-ink-2">
                  <span>{term.stopped}</span>
                  <span className="sr-only"> prompts stopped this month</span>
                </span>
                <button
                  type="button"
                  aria-label={`Remove “${term.term}”`}
                  className="touch inline-flex size-9 items-center justify-center rounded-sm text-ink-2 hover:text-ink"
                  onClick={() => take(term)}
                >
                  {remove.isPending && remove.variables.p_term_id === term.id ? (
                    <LoaderCircle aria-hidden className="size-3.5 motion-safe:animate-spin" />
                  ) : (
                    <X aria-hidden className="size-3.5" />
                  )}
                </button>
              </li>
            ))}
          </ul>
        )}
        <input
          value={text}
          readOnly={add.isPending}
          maxLength={BLOCKED_TERM_MAX_LENGTH}
          aria-label="Add a word or phrase"
          aria-invalid={add.error !== null}
          aria-describedby="blocked-words-note blocked-words-problem"
          placeholder="Add a word or phrase"
          autoComplete="off"
          enterKeyHint="done"
          className="h-9 min-w-40 flex-1 bg-transparent px-1 text-16 outline-none placeholder:text-ink-2"
          onChange={(event) => {
            setText(event.target.value);
            add.reset();
            remove.reset();
          }}
        />
        {text.trim() !== '' && (
          <Button type="submit" size={32} busy={add.isPending} busyLabel="Adding...">
            Add
          </Button>
        )}
      </form>
      <div className="mt-2 flex justify-between gap-4 text-14 text-ink-2">
        <p id="blocked-words-note">
          A word holds from the next prompt on.
          {terms.length > 0 && ' The number beside it counts the prompts that it stopped this month.'}
        </p>
        <p className="shrink-0 tabular-nums">
          {terms.length} of {BLOCKED_TERMS_MAX}
        </p>
      </div>
      <p id="blocked-words-problem" role="alert" className="text-14 text-bad">
        {problemOf(problem)}
      </p>
      <p role="status" className="sr-only">
        {announced}
      </p>
    </>
  );
}

import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { useId, useState } from 'react';
import type { TestGeneration } from '../../../../../src/contract/generation.js';
import { Button, IconButton } from '../../../components/button.js';
import { Modal } from '../../../components/dialog.js';
import { toast } from '../../../components/toast.js';
import { cx } from '../../../lib/cx.js';
import { formatShortDate } from '../../../lib/format.js';
import { useRpcEffect } from '../../../lib/use-rpc-effect.js';
import { problemOf } from '../../../lib/problem-of.js';

/** Longest note, in UTF-16 units. */
const NOTE_MAX_LENGTH = 500;

/** Thumbs up or down for a test. Thumbs down asks for a note. */
export function Rating({ test }: { readonly test: TestGeneration }): React.ReactNode {
  const [asking, setAsking] = useState(false);
  const [note, setNote] = useState('');
  const rate = useRpcEffect('rate_test_generation_by_jwt', ['get_own_test_generations_by_jwt']);
  const id = useId();
  const shown = rate.isPending ? rate.variables.p_rating : test.rating;
  const shownNote = rate.isPending ? (rate.variables.p_note ?? '') : test.note;

  const send = (rating: 'good' | 'bad' | null, words: string | null = null): void => {
    if (rate.isPending) return;
    rate.mutate(
      { p_generation_id: test.generation.id, p_rating: rating, p_note: words },
      {
        onError: (error) =>
          toast({ kind: 'error', title: 'Your rating could not be saved.', description: problemOf(error) }),
      },
    );
    setAsking(false);
  };
  const ask = (): void => {
    setNote(test.note);
    setAsking(true);
  };

  return (
    <>
      <div className="flex items-center gap-1">
        <IconButton
          label="Good"
          size={32}
          aria-pressed={shown === 'good'}
          onClick={() => send(shown === 'good' ? null : 'good')}
        >
          <ThumbsUp
            aria-hidden
            className={cx('size-[18px]', shown === 'good' && 'fill-current text-good [fill-opacity:.3]')}
          />
        </IconButton>
        <IconButton label="Not right" size={32} aria-pressed={shown === 'bad'} aria-haspopup="dialog" onClick={ask}>
          <ThumbsDown
            aria-hidden
            className={cx('size-[18px]', shown === 'bad' && 'fill-current text-bad [fill-opacity:.3]')}
          />
        </IconButton>
        <time dateTime={test.generation.created_at} className="ml-auto truncate text-13 text-ink-2 tabular-nums">
          {formatShortDate(test.generation.created_at, undefined, 'UTC')}
        </time>
      </div>
      {shown === 'bad' && shownNote !== '' && (
        <p className="mt-1 line-clamp-2 break-words text-13 text-ink-2">{shownNote}</p>
      )}
      <Modal
        open={asking}
        onOpenChange={setAsking}
        title="What is not right?"
        description="Your representative reads it with the prompt before the next training."
        footer={
          <>
            <Button kind="solid" onClick={() => send('bad', note.trim())}>
              Mark as not right
            </Button>
            {test.rating === 'bad' && <Button onClick={() => send(null)}>Take back</Button>}
            <Button onClick={() => setAsking(false)}>Cancel</Button>
          </>
        }
      >
        <label htmlFor={id} className="mt-4 block text-14 font-[600]">
          Note <span className="font-[400] text-ink-2">(optional)</span>
        </label>
        <textarea
          id={id}
          rows={4}
          value={note}
          maxLength={NOTE_MAX_LENGTH}
          className="mt-1.5 block w-full resize-none rounded-ctl border border-line-strong bg-bg px-3 py-2 text-16"
          onChange={(event) => setNote(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send('bad', note.trim());
          }}
        />
        <p className="mt-1 text-right text-13 tabular-nums text-ink-2">
          {note.length} / {NOTE_MAX_LENGTH}
        </p>
      </Modal>
    </>
  );
}

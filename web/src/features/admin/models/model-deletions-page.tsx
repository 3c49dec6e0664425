import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { ModelDeletion } from '../../../../../src/contract/creators.js';
import { PAGE_SIZES } from '../../../../../src/contract/limits.js';
import { Badge } from '../../../components/badge.js';
import { Button } from '../../../components/button.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { toast } from '../../../components/toast.js';
import { rpc } from '../../../lib/api.js';
import { problemOf } from '../../../lib/problem-of.js';
import { cx } from '../../../lib/cx.js';
import { refreshRpc, useRpc } from '../../../lib/use-rpc.js';
import { shortId } from '../components/act-text.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { useMayAct } from '../../../components/work-area/acts.js';
import { Answer } from '../../../components/work-area/answer.js';
import { ConfirmByName } from '../components/confirm-by-name.js';
import { formatUtcDay } from '../../../components/work-area/utc.js';
import { Named } from '../../../components/name.js';

const PAGE_SIZE = PAGE_SIZES.moderation;

/** /admin/model-deletions: models of creators who withdrew, which an admin deletes at the image provider. */
export default function ModelDeletionsPage(): React.ReactNode {
  const [params, setParams] = useSearchParams();
  const ended = params.get('tab') === 'ended';
  const [offset, setOffset] = useState(0);
  const query = useRpc('get_model_deletions', { p_ended: ended, p_limit: PAGE_SIZE, p_offset: offset });
  const mayAct = useMayAct();
  const [recording, setRecording] = useState<ModelDeletion | null>(null);
  const choose = (label: string, ofEnded: boolean): React.ReactNode => (
    <button
      type="button"
      aria-pressed={ended === ofEnded}
      className={cx(
        'inline-flex h-9 items-center rounded-pill border px-3.5 text-14 hover:border-line-strong',
        ended === ofEnded ? 'border-line-strong bg-hover font-[560]' : 'border-line text-ink-2',
      )}
      onClick={() => {
        setOffset(0);
        setParams(ofEnded ? { tab: 'ended' } : {}, { replace: true });
      }}
    >
      {label}
    </button>
  );
  return (
    <WorkPage
      title="Models to delete"
      back={{ to: '/admin', label: 'Dashboard' }}
      actions={
        <>
          {choose('Open', false)}
          {choose('Ended', true)}
        </>
      }
      footer="A withdrawn model is deleted at the image provider within 30 days"
    >
      <Answer
        query={query}
        failure="Failed to load the models. Please try again."
        loadingText="Loading models..."
        skeleton={<Skeleton className="mt-4 h-40 rounded-sm" />}
      >
        {(rows) => (
          <div className={cx('mt-3', query.isPlaceholderData && 'opacity-60')}>
            {rows.length === 0 ? (
              <EmptyState title={ended ? 'Nothing has ended yet' : 'No model waits for its deletion'}>
                A creator who withdraws consent stops their model at once. It appears here until it is deleted.
              </EmptyState>
            ) : (
              <ul aria-label={ended ? 'Ended' : 'Models to delete'}>
                {rows.map((row) => (
                  <Row key={row.id} row={row} onRecord={ended || !mayAct ? null : () => setRecording(row)} />
                ))}
              </ul>
            )}
            {(offset > 0 || rows.length === PAGE_SIZE) && (
              <nav aria-label="Pages" className="mt-3.5 flex gap-2">
                <Button size={32} disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - PAGE_SIZE))}>
                  Previous
                </Button>
                <Button size={32} disabled={rows.length < PAGE_SIZE} onClick={() => setOffset(offset + PAGE_SIZE)}>
                  Next
                </Button>
              </nav>
            )}
          </div>
        )}
      </Answer>
      {recording && mayAct && <Record row={recording} onClose={() => setRecording(null)} />}
    </WorkPage>
  );
}

interface RowProps {
  readonly row: ModelDeletion;
  /** Null for ended tasks. */
  readonly onRecord: (() => void) | null;
}

function Row({ row, onRecord }: RowProps): React.ReactNode {
  const { creator_name, model, requested_at, due_at, overdue, done_at, done_by, cancelled_at } = row;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3 text-14 first:border-t">
      <div className="min-w-0 flex-1 basis-60">
        <p translate="no" className="font-[560]">
          {creator_name}
        </p>
        <p translate="no" className="font-mono text-13 [overflow-wrap:anywhere]">
          {model}
        </p>
        <p className="text-13 text-ink-2 tabular-nums">
          <span>Withdrawn {formatUtcDay(requested_at)}</span>
          <Named
            text={[
              done_at !== null &&
                `, deleted ${formatUtcDay(done_at)}${done_by === null ? '' : ` by ${shortId(done_by)}`}`,
              cancelled_at !== null && `, kept: the terms were accepted again ${formatUtcDay(cancelled_at)}`,
            ]
              .filter(Boolean)
              .join('')}
            name={done_by === null ? undefined : shortId(done_by)}
          />
        </p>
      </div>
      {onRecord && (
        <>
          <p className="tabular-nums">
            {overdue ? <Badge tone="bad">Overdue since {formatUtcDay(due_at)}</Badge> : `Due ${formatUtcDay(due_at)}`}
          </p>
          <Button size={32} aria-label={`Record deletion of the model of ${creator_name}`} onClick={onRecord}>
            Record deletion
          </Button>
        </>
      )}
    </li>
  );
}

interface RecordProps {
  readonly row: ModelDeletion;
  readonly onClose: () => void;
}

function Record({ row, onClose }: RecordProps): React.ReactNode {
  const { creator_id, creator_name, model } = row;
  const record = useMutation({
    mutationFn: () => rpc('record_model_deletion', { p_creator_id: creator_id }),
    onSuccess: () => {
      toast({ kind: 'success', title: `The model of ${creator_name} is recorded as deleted.`, name: creator_name });
      onClose();
    },
    onSettled: () => {
      for (const name of ['get_model_deletions', 'get_admin_overview', 'list_admin_acts'] as const) refreshRpc(name);
    },
  });
  return (
    <ConfirmByName
      open
      onOpenChange={(next) => next || onClose()}
      title={`Record that the model of ${creator_name} is deleted`}
      description={`Delete ${model} at the image provider first. The creator then has no model here, and this cannot be undone.`}
      name={creator_name}
      action="Record deletion"
      busy={record.isPending}
      error={problemOf(record.error)}
      onConfirm={() => record.mutate()}
    />
  );
}

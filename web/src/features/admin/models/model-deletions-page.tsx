import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { ModelDeletion } from '../../../../../src/contract/creators.js';
import { PAGE_SIZES } from '../../../../../src/contract/limits.js';
import { Badge } from '../../../components/badge.js';
import { Button } from '../../../components/button.js';
import { EmptyState } from '../../../components/states.js';
import { rpc } from '../../../lib/api.js';
import { refreshRpc } from '../../../lib/use-rpc.js';
import { shortId } from '../components/act-text.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { ActDialog } from '../../../components/work-area/act-dialog.js';
import { useMayAct } from '../../../components/work-area/acts.js';
import { FilterChip } from '../../../components/work-area/filter-chip.js';
import { useNumberedPages } from '../../../components/work-area/list-pages.js';
import { loadWords } from '../../../components/work-area/answer.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { formatUtcDay } from '../../../components/work-area/utc.js';
import { Named } from '../../../components/name.js';

/** /admin/model-deletions: models of creators who withdrew, which an admin deletes at the image provider. */
export default function ModelDeletionsPage(): React.ReactNode {
  const [params, setParams] = useSearchParams();
  const ended = params.get('tab') === 'ended';
  const list = useNumberedPages('get_model_deletions', { p_ended: ended }, PAGE_SIZES.moderation);
  const mayAct = useMayAct();
  const [recording, setRecording] = useState<ModelDeletion | null>(null);
  const choose = (label: string, ofEnded: boolean): React.ReactNode => (
    <FilterChip
      pressed={ended === ofEnded}
      onPress={() => setParams(ofEnded ? { tab: 'ended' } : {}, { replace: true })}
    >
      {label}
    </FilterChip>
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
      <RpcList
        list={list}
        words={loadWords('the models', 'models')}
        empty={
          <EmptyState title={ended ? 'Nothing has ended yet' : 'No model waits for its deletion'}>
            A creator who withdraws consent stops their model at once. It appears here until it is deleted.
          </EmptyState>
        }
        caption={ended ? 'Ended' : 'Models to delete'}
        rowKey={({ id }) => id}
        item={(row) => <Model row={row} onRecord={ended || !mayAct ? null : () => setRecording(row)} />}
        className="mt-3 border-t border-line"
      />
      {recording && mayAct && <Record row={recording} onClose={() => setRecording(null)} />}
    </WorkPage>
  );
}

interface ModelProps {
  readonly row: ModelDeletion;
  /** Null for ended tasks. */
  readonly onRecord: (() => void) | null;
}

function Model({ row, onRecord }: ModelProps): React.ReactNode {
  const { creator_name, model, requested_at, due_at, overdue, done_at, done_by, cancelled_at } = row;
  return (
    <>
      <div className="min-w-0 flex-1 basis-60">
        <p translate="no" className="font-[560]">
          {creator_name}
        </p>
        <p translate="no" className="font-mono text-13 [overflow-wrap:anywhere]">
          {model}
        </p>
        <p className="text-13 text-ink-2">
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
          <p>
            {overdue ? <Badge tone="bad">Overdue since {formatUtcDay(due_at)}</Badge> : `Due ${formatUtcDay(due_at)}`}
          </p>
          <Button size={32} aria-label={`Record deletion of the model of ${creator_name}`} onClick={onRecord}>
            Record deletion
          </Button>
        </>
      )}
    </>
  );
}

interface RecordProps {
  readonly row: ModelDeletion;
  readonly onClose: () => void;
}

function Record({ row, onClose }: RecordProps): React.ReactNode {
  const { creator_id, creator_name, model } = row;
  return (
    <ActDialog
      title={`Record that the model of ${creator_name} is deleted`}
      description={`Delete ${model} at the image provider first. The creator then has no model here, and this cannot be undone.`}
      name={creator_name}
      confirmName={creator_name}
      action="Record deletion"
      danger
      act={() => rpc('record_model_deletion', { p_creator_id: creator_id })}
      done={() => `The model of ${creator_name} is recorded as deleted.`}
      refresh={() => refreshRpc('get_model_deletions', 'get_admin_overview', 'list_admin_acts')}
      onClose={onClose}
    />
  );
}

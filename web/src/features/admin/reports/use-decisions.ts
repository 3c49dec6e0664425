import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CaseDecided, CaseDecision, ModerationCaseRow } from '../../../../../src/contract/moderation.js';
import { toast } from '../../../components/toast.js';
import type { ListPage } from '../../../components/work-area/list-pages.js';
import { useQueue } from '../../../components/work-area/use-queue.js';
import { callRpc } from '../../../lib/api.js';
import { reverifiedRpc } from '../../../lib/reverified-rpc.js';
import { forgetDraft } from '../../../lib/use-draft.js';
import { refreshRpc } from '../../../lib/use-rpc.js';
import { useRefusal } from '../components/use-refusal.js';
import { caseKey } from './case-text.js';
import type { DecideRequest } from './decide-panel.js';
import { ownWords } from '../../../lib/problem-of.js';

const DONE: Readonly<Record<CaseDecision, string>> = {
  keep: 'Kept.',
  hide: 'Picture hidden.',
  take_down: 'Picture taken down. Its files are deleted in 24 hours.',
};

interface Decision {
  readonly actId: string;
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

interface DecideAct {
  readonly row: ModerationCaseRow;
  readonly request: DecideRequest;
}

/**
 * The queue of the cases of a list. Decides them and undoes decisions.
 * @param ofDecided the list has the decided cases
 */
export function useDecisions(list: ListPage<'list_moderation_cases', ModerationCaseRow>, ofDecided: boolean) {
  const [done, setDone] = useState<readonly Decision[]>([]);
  // A case that is decided here leaves the list before it is loaded again. A later list may have it again: a new report
  // and an undo of another admin open it.
  const isDone = (row: ModerationCaseRow): boolean =>
    done.some(({ key, at }) => key === caseKey(row) && list.query.dataUpdatedAt <= at);
  const queue = useQueue(
    list.rows.filter((row) => ofDecided || !isDone(row)),
    caseKey,
  );
  const refusal = useRefusal(queue);
  const undo = useMutation({
    mutationFn: (actId: string) => callRpc('undo_moderation_act', { p_act_id: actId }),
    onSuccess: (_, actId) => {
      setDone((before) => before.filter((each) => each.actId !== actId));
      toast({ kind: 'success', title: 'Undone. The case is open again.' });
    },
    // The case of the decision need not be open, nor this page.
    onError: (error) => toast({ kind: 'error', title: ownWords(error) ?? 'Failed to undo. Please try again.' }),
    onSettled: refresh,
  });
  const decide = useMutation<CaseDecided, Error, DecideAct>({
    mutationFn: ({ request }) => reverifiedRpc('decide_moderation_case', request),
    onMutate: refusal.forget,
    onSuccess: ({ act_id: actId, suspended, strikes }, { row, request }) => {
      const key = caseKey(row);
      forgetDraft('case', key);
      setDone((before) => [...before, { actId, key, at: Date.now() }]);
      toast({
        kind: 'success',
        title: request.p_kind === 'refusal' ? 'Refusal confirmed.' : DONE[request.p_decision],
        ...(suspended && { description: `The maker has ${strikes} strikes and is suspended.` }),
        action: { label: 'Undo', onClick: () => undo.mutate(actId) },
      });
    },
    onError: (error, { row }) =>
      refusal.say({
        key: caseKey(row),
        name: row.creator_name,
        problem: ownWords(error) ?? 'Failed to decide. Please try again.',
      }),
    onSettled: refresh,
  });
  const last = done.at(-1);
  return {
    queue,
    /** Opens the next case once the server has decided. */
    decide: (act: DecideAct): void => decide.mutate(act, { onSuccess: queue.next }),
    undo: (actId: string): void => undo.mutate(actId),
    /** Null when nothing was decided here, or all of it is undone. */
    undoLast: last ? () => undo.mutate(last.actId) : null,
    busy: decide.isPending || undo.isPending,
    /** Why the decision on the open case was refused. */
    problem: refusal.problem,
  };
}

function refresh(): void {
  refreshRpc('list_moderation_cases', 'get_moderation_case', 'get_admin_counts', 'get_admin_overview');
}

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CaseDecided, CaseDecision } from '../../../../../src/contract/moderation.js';
import { toast } from '../../../components/toast.js';
import { callRpc } from '../../../lib/api.js';
import { reverifiedRpc } from '../../../lib/reverified-rpc.js';
import { forgetDraft } from '../../../lib/use-draft.js';
import { refreshRpc } from '../../../lib/use-rpc.js';
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
}

/** Decides cases and undoes decisions. */
export function useDecisions() {
  /** Cases that are decided here: they leave the list before it is loaded again. */
  const [done, setDone] = useState<readonly Decision[]>([]);
  const undo = useMutation({
    mutationFn: (actId: string) => callRpc('undo_moderation_act', { p_act_id: actId }),
    onSuccess: (_, actId) => {
      setDone((before) => before.filter((each) => each.actId !== actId));
      toast({ kind: 'success', title: 'Undone. The case is open again.' });
    },
    onSettled: refresh,
  });
  const decide = useMutation<CaseDecided, Error, DecideRequest>({
    mutationFn: (request) => reverifiedRpc('decide_moderation_case', request),
    onSuccess: ({ act_id: actId, suspended, strikes }, request) => {
      const key = caseKey({ kind: request.p_kind, id: request.p_id });
      forgetDraft('case', key);
      setDone((before) => [...before, { actId, key }]);
      toast({
        kind: 'success',
        title: request.p_kind === 'refusal' ? 'Refusal confirmed.' : DONE[request.p_decision],
        ...(suspended && { description: `The maker has ${strikes} strikes and is suspended.` }),
        action: { label: 'Undo', onClick: () => undo.mutate(actId) },
      });
    },
    onSettled: refresh,
  });
  const last = done.at(-1);
  const error = decide.error ?? undo.error;
  return {
    done: new Set(done.map(({ key }) => key)),
    /** Calls `onDecided` once the server has decided. */
    decide: (request: DecideRequest, onDecided: () => void): void => decide.mutate(request, { onSuccess: onDecided }),
    undo: (actId: string): void => undo.mutate(actId),
    /** Null when nothing was decided here, or all of it is undone. */
    undoLast: last ? () => undo.mutate(last.actId) : null,
    busy: decide.isPending || undo.isPending,
    problem: error === null ? null : (ownWords(error) ?? 'Failed to decide. Please try again.'),
    /** Forgets the last problem. */
    reset: (): void => {
      decide.reset();
      undo.reset();
    },
  };
}

function refresh(): void {
  refreshRpc('list_moderation_cases', 'get_moderation_case', 'get_admin_counts', 'get_admin_overview');
}

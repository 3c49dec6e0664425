import { useMutation } from '@tanstack/react-query';
import type { RpcName, RpcRequest } from '../../../../../src/contract/calls.js';
import { toast } from '../../../components/toast.js';
import { callRpc } from '../../../lib/api.js';
import { refreshQueries } from '../../../lib/query.js';
import { problemOf } from '../../../lib/problem-of.js';
import { forgetDraft } from '../../../lib/use-draft.js';

type ReviewName = Extract<
  RpcName,
  | 'approve_creator_admin_by_jwt'
  | 'reject_creator_admin_by_jwt'
  | 'ask_applicant_admin'
  | 'assign_creator_model_admin_by_jwt'
>;

interface ReviewCall<Name extends ReviewName = ReviewName> {
  readonly name: Name;
  readonly request: RpcRequest<Name>;
  /** Shown when it is done: `Nadia Voss approved`. */
  readonly done: string;
  /** The name of the applicant in it. */
  readonly applicant: string;
}

export interface Review {
  readonly busy: boolean;
  /** The refusal of the last act; null when there is none. */
  readonly problem: string | null;
  readonly run: <Name extends ReviewName>(call: ReviewCall<Name>, onDone?: () => void) => void;
  readonly reset: () => void;
}

/** The answers that a decision changes. */
const CHANGED: readonly RpcName[] = ['list_applications_admin', 'get_application_admin', 'get_admin_counts'];

/** The acts of a review, one at a time. @param onDone after an act, before the lists are fetched again */
export function useReview(onDone: (name: ReviewName) => void): Review {
  const refresh = (): Promise<void> => refreshQueries(...CHANGED);
  const { isPending, error, mutate, reset } = useMutation<unknown, Error, ReviewCall>({
    mutationFn: ({ name, request }) => callRpc(name, request),
    onSuccess: (_, { name, request, done, applicant }) => {
      if (name !== 'ask_applicant_admin') forgetDraft('application', request.p_creator_id);
      toast({ title: done, name: applicant, kind: 'success' });
      onDone(name);
      return refresh();
    },
    // A refusal may mean that another admin was faster.
    onError: () => void refresh(),
  });
  return {
    busy: isPending,
    problem: problemOf(error) ?? null,
    run: (call, onDone) => mutate(call, onDone && { onSuccess: onDone }),
    reset,
  };
}

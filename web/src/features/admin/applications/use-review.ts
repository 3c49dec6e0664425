import { useMutation } from '@tanstack/react-query';
import type { ApplicationRow } from '../../../../../src/contract/applications.js';
import type { RpcName, RpcRequest } from '../../../../../src/contract/calls.js';
import { toast } from '../../../components/toast.js';
import type { Queue } from '../../../components/work-area/use-queue.js';
import { callRpc } from '../../../lib/api.js';
import { refreshQueries } from '../../../lib/query.js';
import { problemOf } from '../../../lib/problem-of.js';
import { forgetDraft } from '../../../lib/use-draft.js';
import { useRefusal } from '../components/use-refusal.js';

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
  /** The refusal of the last act on the open application; null when there is none. */
  readonly problem: string | null;
  readonly run: <Name extends ReviewName>(call: ReviewCall<Name>, onDone?: () => void) => void;
  readonly reset: () => void;
}

/** The answers that a decision changes. */
const CHANGED: readonly RpcName[] = ['list_applications_admin', 'get_application_admin', 'get_admin_counts'];

/** The acts of a review, one at a time. An act that ends an application opens the next one. */
export function useReview(queue: Queue<ApplicationRow>): Review {
  const refresh = (): Promise<void> => refreshQueries(...CHANGED);
  const refusal = useRefusal(queue);
  const { isPending, mutate } = useMutation<unknown, Error, ReviewCall>({
    mutationFn: ({ name, request }) => callRpc(name, request),
    onMutate: refusal.forget,
    onSuccess: (_, { name, request, done, applicant }) => {
      if (name !== 'ask_applicant_admin') forgetDraft('application', request.p_creator_id);
      toast({ title: done, name: applicant, kind: 'success' });
      // Before the lists are fetched again.
      if (name !== 'ask_applicant_admin') queue.next();
      return refresh();
    },
    onError: (error, { request, applicant }) => {
      refusal.say({ key: request.p_creator_id, name: applicant, problem: problemOf(error) });
      // It may mean that another admin was faster.
      void refresh();
    },
  });
  return {
    busy: isPending,
    problem: refusal.problem,
    run: (call, onDone) => mutate(call, onDone && { onSuccess: onDone }),
    reset: refusal.forget,
  };
}

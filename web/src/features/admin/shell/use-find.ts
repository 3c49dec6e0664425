import { useQuery } from '@tanstack/react-query';
import type { AdminGeneration } from '../../../../../src/contract/admin-gallery.js';
import type { RpcName, RpcRequest } from '../../../../../src/contract/calls.js';
import { callRpc } from '../../../lib/api.js';
import { useViewer } from '../../../lib/auth.js';
import { useSettled } from '../../../components/work-area/use-settled.js';
import { userName, userPath } from '../users/user-text.js';

/** A thing that Find has found: a page of the area, or a generation. */
export interface Found {
  readonly key: string;
  readonly label: string;
  /** Distinguishes it from others of the same name. */
  readonly detail: string;
  readonly target: string | AdminGeneration;
}

export interface FoundGroup {
  readonly title: string;
  readonly found: readonly Found[];
}

/** Results of one kind. */
const RESULTS_PER_KIND = 5;
/** Shorter texts find too much to be of use. */
const MIN_LENGTH = 2;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Searches creators, applications and users by name, and a generation by its whole id. It waits until the typing stops,
 * and shows the results of all calls at once, so that no row moves below the finger.
 */
export function useFind(text: string) {
  const typed = text.trim();
  const wanted = useSettled(typed.length < MIN_LENGTH ? '' : typed);
  const handle = wanted.replace(/^@/, '');
  const page = { p_limit: RESULTS_PER_KIND };
  const searching = wanted !== '';
  const isId = UUID.test(wanted);
  const named = searching && !isId;
  const generation = useSearch('get_generation_admin', { p_generation_id: wanted }, isId);
  const active = useSearch('list_creators_admin', { p_state: 'active', p_search: handle, ...page }, named);
  const archived = useSearch('list_creators_admin', { p_state: 'archived', p_search: handle, ...page }, named);
  const pending = useSearch('list_applications_admin', { p_state: 'pending', p_search: handle, ...page }, named);
  const rejected = useSearch('list_applications_admin', { p_state: 'rejected', p_search: handle, ...page }, named);
  const users = useSearch('search_users_admin', { p_search: wanted, ...page }, searching);

  const asked = isId ? [generation, users] : [active, archived, pending, rejected, users];
  const loading = typed.length >= MIN_LENGTH && (wanted !== typed || asked.some(({ isPending }) => isPending));
  const groups: FoundGroup[] = [
    {
      title: 'Generations',
      found: (generation.data ? [generation.data] : []).map((item) => ({
        key: item.id,
        label: item.prompt,
        detail: item.status,
        target: item,
      })),
    },
    {
      title: 'Creators',
      found: [...(active.data ?? []), ...(archived.data ?? [])].map(({ id, name, username, is_visible: shown }) => ({
        key: id,
        label: name,
        detail: shown ? `@${username}` : `@${username}, archived`,
        target: `/admin/gallery/${encodeURIComponent(username)}`,
      })),
    },
    {
      title: 'Applications',
      found: [...(pending.data ?? []), ...(rejected.data ?? [])].map(({ creator_id: id, name, state, instagram }) => ({
        key: `application-${id}`,
        label: name,
        detail: `${instagram}, ${state === 'pending' ? 'pending' : 'not approved'}`,
        target: `/admin/applications?${new URLSearchParams({ tab: state, search: name, open: id }).toString()}`,
      })),
    },
    {
      title: 'Users',
      found: (users.data ?? []).map((user) => ({
        key: user.user_id,
        label: userName(user),
        detail: user.email ?? '',
        target: userPath(user.user_id),
      })),
    },
  ];
  return {
    loading,
    /** At least one call failed. An unknown id of a generation is not a failure. */
    failed: !loading && asked.some((query) => query.isError && query !== generation),
    groups: loading || !searching ? [] : groups.filter(({ found }) => found.length > 0),
  };
}

/** A call whose answer is fetched while `enabled`. Never repeated: the next text asks again. */
function useSearch<Name extends RpcName>(name: Name, request: RpcRequest<Name>, enabled: boolean) {
  const { user } = useViewer();
  return useQuery({
    queryKey: [name, user?.id, request],
    queryFn: ({ signal }) => callRpc(name, request, { signal }),
    enabled,
    retry: false,
  });
}

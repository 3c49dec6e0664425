import { useQuery } from '@tanstack/react-query';
import { readRows, type RpcOptions } from '../../../lib/api.js';
import { useViewer } from '../../../lib/auth.js';
import { frameFirst } from '../../../lib/frame.js';
import { refreshQueries } from '../../../lib/query.js';

/** Whether a user has a creator record, in any status (creator spec, sections 6 and 7). @throws Error without an id */
export async function checkCreator(userId: string, options: Pick<RpcOptions, 'signal'> = {}): Promise<boolean> {
  if (userId === '') throw new Error('Clerk ID is required');
  return (await readRows('creators', ['id'], { clerk_id: userId }, options)).length > 0;
}

/** Checks again; after an application. */
export function refreshCreatorCheck(): void {
  void refreshQueries('is-creator');
}

/** Whether the signed-in person is a creator; idle for visitors. */
export function useIsCreator() {
  const { user } = useViewer();
  const userId = user?.id ?? '';
  return useQuery({
    queryKey: ['is-creator', userId],
    queryFn: ({ signal }) => frameFirst('creators', () => checkCreator(userId, { signal })),
    enabled: user !== null,
    staleTime: 5 * 60_000,
  });
}

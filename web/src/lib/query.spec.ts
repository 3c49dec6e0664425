import { afterEach, describe, expect, it } from '@jest/globals';
import { QueryObserver } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { promptPlace, rememberPromptPlace } from './prompt-place.js';
import { dropData, queryClient, refreshQueries } from './query.js';
import { useDraft } from './use-draft.js';

afterEach(() => queryClient.clear());

/** Shows a query whose answers the test gives. */
function show(key: readonly string[]) {
  const requests: { readonly answer: (text: string) => void; readonly signal: AbortSignal }[] = [];
  const observer = new QueryObserver(queryClient, {
    queryKey: key,
    queryFn: ({ signal }) => new Promise<string>((answer) => requests.push({ answer, signal })),
    retry: false,
  });
  const leave = observer.subscribe(() => undefined);
  return { requests, leave, shown: () => observer.getCurrentResult().data };
}

it('drops the drafts of a person with the answers', () => {
  const open = () => renderHook(() => useDraft('case', 'report-1', { note: '' })).result;
  const form = open();
  act(() => form.current[1]({ note: 'Half a note' }));
  expect(open().current[0]).toEqual({ note: 'Half a note' });
  dropData();
  expect(open().current[0]).toEqual({ note: '' });
});

it('forgets where the person was about to write', () => {
  rememberPromptPlace({ path: '/junoabara', creatorName: 'Juno Abara', prompt: 'a heron in fog' });
  dropData();
  expect(promptPlace()).toBeNull();
});

describe('refreshQueries', () => {
  it('replaces a first request that may have been answered before the change', async () => {
    const { requests, leave, shown } = show(['balance', 'user_1']);
    const refreshed = refreshQueries('balance');
    await Promise.resolve();
    requests[0]?.answer('30 credits');
    for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    requests[1]?.answer('40 credits');
    await refreshed;
    expect(shown()).toBe('40 credits');
    leave();
  });

  it('keeps the present answer until the next one has arrived', async () => {
    const { requests, leave, shown } = show(['balance', 'user_1']);
    requests[0]?.answer('30 credits');
    for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
    const refreshed = refreshQueries('balance');
    for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
    expect([requests.length, shown()]).toEqual([2, '30 credits']);
    requests[1]?.answer('40 credits');
    await refreshed;
    expect(shown()).toBe('40 credits');
    leave();
  });

  it('leaves answers to other keys alone', async () => {
    const { requests, leave } = show(['history', 'user_1']);
    await refreshQueries('balance', 'gallery');
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([false]);
    leave();
  });
});

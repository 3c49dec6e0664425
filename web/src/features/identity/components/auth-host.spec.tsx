import { expect, it, jest } from '@jest/globals';
import { act } from '@testing-library/react';
import { useEffect } from 'react';
import { pass, renderPage, onPage } from '../../../../test/page.js';
import { doubtSession, viewer, whenKnown } from '../../../lib/auth.js';
import { AuthHost } from './auth-host.js';

onPage(() => act(doubtSession));

it('mounts the identity SDK again a second after each failure, because its script may still arrive', async () => {
  const mounted = jest.fn();
  function Host({ onFailure }: { readonly onFailure: () => void }): React.ReactNode {
    useEffect(() => {
      mounted();
      const timer = setTimeout(onFailure, 15_000); // the SDK's own limit
      return () => clearTimeout(timer);
    }, [onFailure]);
    return null;
  }
  const load = () => Promise.resolve(Host);
  await renderPage(<AuthHost loadHost={load} />);
  act(() => void whenKnown());
  await pass(100);
  for (const times of [1, 2, 3, 4, 5, 6]) {
    expect(mounted).toHaveBeenCalledTimes(times);
    await pass(15_000);
    await pass(1_000);
  }
  expect(viewer().status).toBe('loading');
});

it('loads its code again after a failure', async () => {
  jest.spyOn(console, 'warn').mockReturnValue(undefined);
  const load = jest.fn<() => Promise<() => null>>().mockRejectedValueOnce(new Error('no network'));
  load.mockResolvedValue(() => null);
  await renderPage(<AuthHost loadHost={load} />);
  act(() => void whenKnown());
  await pass(1_100);
  expect(load).toHaveBeenCalledTimes(2);
  await pass(60_000);
  expect(load).toHaveBeenCalledTimes(2);
});

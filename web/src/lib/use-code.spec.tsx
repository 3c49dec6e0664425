import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render } from '@testing-library/react';
import { useCode } from './use-code.js';

let online = true;
let reachable = true;
let loads = 0;

const load = async (): Promise<string> => {
  loads += 1;
  if (!reachable) throw new Error('No network');
  return 'code';
};

function Page({ wanted, again }: { readonly wanted: boolean; readonly again?: string }): React.ReactNode {
  const { code, missing } = useCode(load, wanted, again);
  return <p>{`${code ?? 'none'} ${missing ? 'missing' : ''}`}</p>;
}

const shown = (): string => document.body.textContent?.trim() ?? '';
const show = async (page: React.ReactNode) => {
  const view = await act(async () => render(page));
  return async (next: React.ReactNode) => act(async () => view.rerender(next));
};
const connection = async (isOnline: boolean): Promise<void> => {
  [online, reachable] = [isOnline, isOnline];
  await act(async () => {
    window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
  });
};

describe('useCode', () => {
  beforeEach(() => {
    [online, reachable, loads] = [true, true, 0];
    jest.spyOn(navigator, 'onLine', 'get').mockImplementation(() => online);
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  });
  afterEach(() => {
    cleanup();
    jest.restoreAllMocks();
  });

  it('loads the code once it is wanted, and only once', async () => {
    const change = await show(<Page wanted={false} />);
    expect([shown(), loads]).toEqual(['none', 0]);
    await change(<Page wanted />);
    await change(<Page wanted again="a" />);
    expect([shown(), loads]).toEqual(['code', 1]);
  });

  it('loads the code when the connection returns', async () => {
    await connection(false);
    await show(<Page wanted />);
    expect(shown()).toBe('none missing');
    await connection(true);
    expect(shown()).toBe('code');
  });

  it('tries again for each new value', async () => {
    reachable = false;
    const change = await show(<Page wanted again="a" />);
    reachable = true;
    await change(<Page wanted again="a" />);
    expect([shown(), loads]).toEqual(['none missing', 1]);
    await change(<Page wanted again="ab" />);
    expect([shown(), loads]).toEqual(['code', 2]);
  });
});

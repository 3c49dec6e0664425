import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { sharedStream } from './shared-stream.js';

/** Web Locks as the browser has them, for the calls that are used here. */
class Locks {
  private readonly queues = new Map<string, Promise<unknown>>();

  async request<T>(name: string, { signal }: { signal: AbortSignal }, work: () => Promise<T>): Promise<T> {
    const before = this.queues.get(name) ?? Promise.resolve();
    let free = (): void => undefined;
    this.queues.set(
      name,
      before.then(() => new Promise<void>((resolve) => (free = resolve))),
    );
    try {
      await Promise.race([
        before,
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))),
      ]);
      return await work();
    } finally {
      void before.then(() => free());
    }
  }
}

class Channels {
  static readonly open = new Set<Channels>();
  onmessage: ((event: { data: unknown }) => void) | null = null;

  constructor(readonly name: string) {
    Channels.open.add(this);
  }

  postMessage(data: unknown): void {
    for (const other of Channels.open) if (other !== this && other.name === this.name) other.onmessage?.({ data });
  }

  close(): void {
    Channels.open.delete(this);
  }
}

let hidden = false;
const hide = async (is: boolean): Promise<void> => {
  hidden = is;
  document.dispatchEvent(new Event('visibilitychange'));
  await settled();
};
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** The streams that were opened, in order. Each ends with its signal. */
interface Opened {
  readonly send: (message: string) => void;
  readonly end: () => void;
  readonly signal: AbortSignal;
}
let opened: Opened[];
const shared = sharedStream<string>(
  'generation g1',
  (send, signal) =>
    new Promise((resolve) => {
      opened.push({ send, end: resolve, signal });
      signal.addEventListener('abort', () => resolve());
    }),
);

function openTab() {
  const stop = new AbortController();
  const heard: string[] = [];
  const over = jest.fn();
  void shared((message) => heard.push(message), stop.signal).then(over);
  return { heard, over, close: () => stop.abort() };
}

describe('sharedStream', () => {
  beforeEach(() => {
    opened = [];
    hidden = false;
    jest.spyOn(document, 'visibilityState', 'get').mockImplementation(() => (hidden ? 'hidden' : 'visible'));
    Object.assign(globalThis, { BroadcastChannel: Channels });
    Object.defineProperty(navigator, 'locks', { value: new Locks(), configurable: true });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
    expect(Channels.open.size).toBe(0);
  });

  it('opens one stream for nine tabs, and passes on to all what arrives', async () => {
    const tabs = Array.from({ length: 9 }, openTab);
    await settled();
    expect(opened).toHaveLength(1);
    opened[0]?.send('row');
    expect(tabs.map(({ heard }) => heard)).toEqual(Array(9).fill(['row']));
    for (const tab of tabs) tab.close();
    await settled();
  });

  it('lets another tab read when the one that reads is closed, or its stream ends', async () => {
    const first = openTab();
    const second = openTab();
    const third = openTab();
    await settled();
    first.close();
    await settled();
    expect([opened.length, first.over.mock.calls.length, second.over.mock.calls.length]).toEqual([2, 1, 0]);
    opened[1]?.end();
    await settled();
    expect([opened.length, second.over.mock.calls.length]).toEqual([3, 1]);
    opened[2]?.send('late');
    expect([first.heard, second.heard, third.heard]).toEqual([[], [], ['late']]);
    third.close();
    await settled();
  });

  it('ends when the tab is hidden, and waits until it is visible', async () => {
    const tab = openTab();
    await settled();
    await hide(true);
    expect([opened[0]?.signal.aborted, tab.over.mock.calls.length]).toEqual([true, 1]);
    const again = openTab();
    await settled();
    expect(opened).toHaveLength(1);
    await hide(false);
    expect(opened).toHaveLength(2);
    again.close();
    await settled();
  });

  it('waits no longer for a tab that is left while it is hidden', async () => {
    await hide(true);
    const tab = openTab();
    tab.close();
    await settled();
    expect([opened.length, tab.over.mock.calls.length]).toEqual([0, 1]);
  });

  it('reads in each tab where the browser has no locks', async () => {
    Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
    const tabs = [openTab(), openTab()];
    await settled();
    expect(opened).toHaveLength(2);
    for (const tab of tabs) tab.close();
    await settled();
  });
});
